"""Mail: Internet messages (``eml``) and Outlook messages (``msg``, rebuilt as ``eml``)."""

from prism_core.formats.mail.eml import MailFormat
from prism_core.formats.mail.outlook import OutlookFormat
from prism_core.formats.mail.sites import Formats

__all__ = ["Formats", "MailFormat", "OutlookFormat"]
