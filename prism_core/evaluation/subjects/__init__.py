"""Recipient's-eye proof: what each known attack infers about each data subject, over chance.

Entry: ``measure_methods`` (``read_subjects`` -> ``Senders.send_by``) or ``measure_sent``
(``observe_subjects``); then ``attack_subjects`` and, with a language model, ``ask_about``.
"""
