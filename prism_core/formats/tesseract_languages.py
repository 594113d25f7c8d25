"""What tesseract calls languages, by ISO 639-1. Reference: its page "Languages/Scripts supported".

It names most by ISO 639-2 or 639-3, some by its own codes (``chi_sim``). Kurdish data is of
Kurmanji, Serbian data of Cyrillic, Chinese data of simplified writing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_PAIRS: Final = """
af:afr am:amh ar:ara as:asm az:aze be:bel bg:bul bn:ben bo:bod br:bre bs:bos ca:cat co:cos cs:ces
cy:cym da:dan de:deu dv:div dz:dzo el:ell en:eng eo:epo es:spa et:est eu:eus fa:fas fi:fin fo:fao
fr:fra fy:fry ga:gle gd:gla gl:glg gu:guj he:heb hi:hin hr:hrv ht:hat hu:hun hy:hye id:ind is:isl
it:ita iu:iku ja:jpn jv:jav ka:kat kk:kaz km:khm kn:kan ko:kor ku:kmr ky:kir la:lat lb:ltz lo:lao
lt:lit lv:lav mi:mri mk:mkd ml:mal mn:mon mr:mar ms:msa mt:mlt my:mya nb:nor ne:nep nl:nld no:nor
oc:oci or:ori pa:pan pl:pol ps:pus pt:por qu:que ro:ron ru:rus sa:san sd:snd si:sin sk:slk sl:slv
sq:sqi sr:srp su:sun sv:swe sw:swa ta:tam te:tel tg:tgk th:tha ti:tir tl:fil to:ton tr:tur tt:tat
ug:uig uk:ukr ur:urd uz:uzb vi:vie yi:yid yo:yor zh:chi_sim
"""

TESSERACT_CODES: Final[Mapping[str, str]] = dict(pair.split(":") for pair in _PAIRS.split())
"""Tesseract's code for each ISO 639-1 code it has data for."""
