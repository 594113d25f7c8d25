"""Training a translator on private text with a stated (ε, δ): DP-SGD over documents.

What is named here is loaded when it is first used: PyTorch and dp-accounting (the extra ``train``)
take seconds, and most commands need neither. The job is ``prism_core.training.jobs.train``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prism_core.plugins import lazy_door

if TYPE_CHECKING:
    from prism_core.training.bases import (
        Model,
        is_of_others,
        load_base,
        write_model,
    )
    from prism_core.training.canaries import CanaryAudit, audit_canaries
    from prism_core.training.ctranslate2_export import export_model
    from prism_core.training.data import (
        Example,
        PairedDocuments,
        SubwordTokeniser,
        Unit,
        encode_documents,
        read_documents,
    )
    from prism_core.training.firefox_base import FirefoxModel, is_firefox_model, load_firefox_model
    from prism_core.training.guarantee import epsilon_of, find_noise
    from prism_core.training.learning import (
        ComputeOptions,
        Watch,
        check_devices,
        find_clipping,
        learn_in_clear,
        learn_privately,
    )
    from prism_core.training.ledger import LedgerTerms, PrivacyLedger
    from prism_core.training.lot_sampling import NoisePlan, Sampling
    from prism_core.training.membership import Attack, MembershipAudit, audit_membership, losses_of
    from prism_core.training.model_folder import PAGE, Card, ModelFolder
    from prism_core.training.pretrained import Pieces, Pretrained, load_pretrained
    from prism_core.training.subwords import SubwordVocabulary, learn_vocabulary, public_texts
    from prism_core.training.transformer import PARTS, ModelPart, ModelShape, Transformer, freeze

__all__ = [
    "PAGE",
    "PARTS",
    "Attack",
    "CanaryAudit",
    "Card",
    "ComputeOptions",
    "Example",
    "FirefoxModel",
    "LedgerTerms",
    "MembershipAudit",
    "Model",
    "ModelFolder",
    "ModelPart",
    "ModelShape",
    "NoisePlan",
    "PairedDocuments",
    "Pieces",
    "Pretrained",
    "PrivacyLedger",
    "Sampling",
    "SubwordTokeniser",
    "SubwordVocabulary",
    "Transformer",
    "Unit",
    "Watch",
    "audit_canaries",
    "audit_membership",
    "check_devices",
    "encode_documents",
    "epsilon_of",
    "export_model",
    "find_clipping",
    "find_noise",
    "freeze",
    "is_firefox_model",
    "is_of_others",
    "learn_in_clear",
    "learn_privately",
    "learn_vocabulary",
    "load_base",
    "load_firefox_model",
    "load_pretrained",
    "losses_of",
    "public_texts",
    "read_documents",
    "write_model",
]

__getattr__ = lazy_door(__name__)
