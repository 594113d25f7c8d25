"""Labels of the Encoding Standard, each encoding with a word in one of its scripts."""

STANDARD = {
    "utf-8": (
        "witneß",
        "7769746e65c39f",
        "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8 ",
    ),
    "ibm866": ("Свидетель", "91a2a8a4a5e2a5abec", "866 cp866 csibm866 ibm866 "),
    "iso-8859-2": (
        "świadek",
        "b677696164656b",
        "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 "
        "latin2 ",
    ),
    "iso-8859-3": (
        "ĝardeno",
        "f8617264656e6f",
        "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 "
        "latin3 ",
    ),
    "iso-8859-4": (
        "ķēniņš",
        "f3ba6e69f1b9",
        "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 "
        "latin4 ",
    ),
    "iso-8859-5": (
        "свидетель",
        "e1d2d8d4d5e2d5dbec",
        "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 "
        "iso_8859-5:1988 ",
    ),
    "iso-8859-6": (
        "شاهد",
        "d4c7e7cf",
        "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 "
        "iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987 ",
    ),
    "iso-8859-7": (
        "μάρτυρας",
        "ecdcf1f4f5f1e1f2",
        "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 "
        "iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek ",
    ),
    "iso-8859-8": (
        "שלום",
        "f9ece5ed",
        "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 "
        "iso88598 iso_8859-8 iso_8859-8:1988 visual ",
    ),
    "iso-8859-8-i": ("שלום", "f9ece5ed", "csiso88598i iso-8859-8-i logical "),
    "iso-8859-10": (
        "ŋáđđi",
        "bfe1b9b969",
        "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6 ",
    ),
    "iso-8859-13": ("šķūņi", "f0edfbf269", "iso-8859-13 iso8859-13 iso885913 "),
    "iso-8859-14": ("ŵyth", "f0797468", "iso-8859-14 iso8859-14 iso885914 "),
    "iso-8859-15": (
        "œuvre€",
        "bd75767265a4",
        "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9 ",
    ),
    "iso-8859-16": ("știință", "ba7469696efee3", "iso-8859-16 "),
    "koi8-r": ("Свидетель", "f3d7c9c4c5d4c5ccd8", "cskoi8r koi koi8 koi8-r koi8_r "),
    "koi8-u": ("Ўважліва", "bed7c1d6cca6d7c1", "koi8-ru koi8-u "),
    "macintosh": (
        "Zeugengebühr",
        "5a657567656e6765629f6872",
        "csmacintosh mac macintosh x-mac-roman ",
    ),
    "windows-874": (
        "พยาน",
        "bec2d2b9",
        "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874 ",
    ),
    "windows-1250": ("świadek", "9c77696164656b", "cp1250 windows-1250 x-cp1250 "),
    "windows-1251": ("Свидетель", "d1e2e8e4e5f2e5ebfc", "cp1251 windows-1251 x-cp1251 "),
    "windows-1252": (
        "“café”",
        "93636166e994",
        "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 "
        "iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252 ",
    ),
    "windows-1253": ("μάρτυρας", "ecdcf1f4f5f1e1f2", "cp1253 windows-1253 x-cp1253 "),
    "windows-1254": (
        "tanığı",
        "74616efdf0fd",
        "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 "
        "l5 latin5 windows-1254 x-cp1254 ",
    ),
    "windows-1255": ("שלום", "f9ece5ed", "cp1255 windows-1255 x-cp1255 "),
    "windows-1256": ("شاهد", "d4c7e5cf", "cp1256 windows-1256 x-cp1256 "),
    "windows-1257": ("šķūņi", "f0edfbf269", "cp1257 windows-1257 x-cp1257 "),
    "windows-1258": ("ngươi", "6e67fdf569", "cp1258 windows-1258 x-cp1258 "),
    "x-mac-cyrillic": ("Свидетель", "91e2e8e4e5f2e5ebfc", "x-mac-cyrillic x-mac-ukrainian "),
    "gbk": (
        "证人镕",
        "d6a4c8cbe946",
        "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk ",
    ),
    "gb18030": ("证人㐀", "d6a4c8cb8139ee39", "gb18030 "),
    "big5": ("證人", "c3d2a448", "big5 big5-hkscs cn-big5 csbig5 x-x-big5 "),
    "euc-jp": ("髙橋①", "fce2b6b6ada1", "cseucpkdfmtjapanese euc-jp x-euc-jp "),
    "iso-2022-jp": ("髙橋①", "1b24427c6236362d211b2842", "csiso2022jp iso-2022-jp "),
    "shift_jis": (
        "髙橋①",
        "eee08bb48740",
        "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis ",
    ),
    "euc-kr": (
        "똠방각하",
        "8c63b9e6b0a2c7cf",
        "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 "
        "ksc_5601 windows-949 ",
    ),
    "utf-16be": ("świadek", "015b00770069006100640065006b", "unicodefffe utf-16be "),
    "utf-16le": (
        "świadek",
        "5b01770069006100640065006b00",
        "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le ",
    ),
    "x-user-defined": ("\uf7e9\uf7e8", "e9e8", "x-user-defined "),
}
"""Word, its bytes, and the labels, by the name of the encoding."""
