"""PRISM as a server on this machine: programs and a page ask for translations.

Entry: ``make_app`` of a ``Desk``, which translates what is asked as one run, and of one of the
``DIALECTS``, the protocols of programs.
"""

from prism_core.cat.serving.desk import Desk
from prism_core.cat.serving.dialects import DIALECTS
from prism_core.cat.serving.site import make_app, read_token

__all__ = ["DIALECTS", "Desk", "make_app", "read_token"]
