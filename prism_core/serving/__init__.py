"""PRISM as a server on this machine: programs and a page ask for translations.

Entry: ``serve``. ``Desk`` translates what is asked, as one run; ``DIALECTS`` are the protocols that
programs speak to it.
"""

from prism_core.serving.desk import Desk
from prism_core.serving.dialects import DIALECTS
from prism_core.serving.site import make_app, read_token, serve

__all__ = ["DIALECTS", "Desk", "make_app", "read_token", "serve"]
