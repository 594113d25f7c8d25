"""Mail: Internet messages (``eml``), mailboxes of them (``mbox``), and Outlook messages.

Outlook messages (``msg``) are rebuilt as ``eml``.
"""

from prism_core.formats.mail.eml import MailFormat, OutlookFormat
from prism_core.formats.mail.mbox import MboxFormat

__all__ = ["MailFormat", "MboxFormat", "OutlookFormat"]
