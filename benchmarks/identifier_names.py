"""Names of made-up people, firms and places of many cultures, to fill templates with."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Culture:
    """What people and places are called in one part of the world, written in Latin letters."""

    given: tuple[str, ...]
    surnames: tuple[str, ...]
    places: tuple[str, ...]
    firm: str


def _culture(given: str, surnames: str, places: str, firm: str) -> Culture:
    split = (tuple(part.strip() for part in text.split(",")) for text in (given, surnames, places))
    return Culture(*split, firm)


CULTURES = {
    "english": _culture(
        "Oliver, Grace, Mark, Hope, Thomas, Charlotte, Will, Rose, Jack, Amber, Edward, Faith, "
        "Peter, Joy",
        "Whitfield, Brown, Marsh, Fletcher, Hargreaves, Young, Stone, Pemberton, Cook, "
        "O'Connell, Long, "
        "Smith-Jones, Field, Winterbourne, Banks, Underhill",
        "Leeds, Reading, Bath, Huddersfield, New Malden, Stoke-on-Trent, Kettering, Bury St "
        "Edmunds",
        "Ltd",
    ),
    "american": _culture(
        "Tyler, Madison, Chase, Dakota, Randy, Brooke, DeShawn, Summer, Hunter, Keisha, Bill, "
        "Savannah",
        "Washington, McAllister, Rivers, Jefferson, Price, Kowalczyk, Hill, Van Buren, Parks, "
        "Delacroix, King",
        "Springfield, Buffalo, Mobile, Phoenix, Cedar Rapids, Baton Rouge, Little Rock, Eau Claire",
        "Inc.",
    ),
    "german": _culture(
        "Jürgen, Heike, Wolfgang, Sabine, Uwe, Annegret, Matthias, Karl-Heinz, Ulrike, Detlef, "
        "Bärbel",
        "Müller, Weiß, Schönfeld, von Ahlefeld, Krüger, Lang, Stein, Zimmermann-Bach, Vogt, "
        "Hübschle",
        "Würzburg, Essen, Bad Tölz, Köln, Mönchengladbach, Halle, Frankfurt am Main, Kiel",
        "GmbH",
    ),
    "french": _culture(
        "Anaïs, Jean-Luc, Thierry, Océane, Étienne, Marie-Claude, Gaël, Solène, Benoît, Maëlle",
        "Lefèvre, Dubois, de La Rochefoucauld, Petit, Marchand, d'Aubigny, Roux, Le Goff, "
        "Berthelot",
        "Nîmes, Angers, Aix-en-Provence, Tours, Nancy, Le Havre, Clermont-Ferrand, Brest",
        "SARL",
    ),
    "spanish": _culture(
        "Begoña, José Luis, Íñigo, María del Carmen, Álvaro, Rocío, Jesús, Pilar, Ángel, "
        "Mercedes, Xavier",
        "García López, Núñez, de la Fuente, Rey Castillo, Ibáñez, Ortega y Gasset, Blanco, "
        "Etxeberria",
        "Cuenca, A Coruña, San Sebastián, Mérida, Vitoria, Las Palmas, Alcalá de Henares",
        "S.L.",
    ),
    "italian": _culture(
        "Gianluca, Chiara, Domenico, Fiorella, Italo, Annamaria, Pasquale, Ornella, Niccolò",
        "Esposito, Di Stefano, Bianchi, De Luca, Ferraro, Lo Presti, Russo, Dell'Acqua, Conti",
        "Bari, Reggio Calabria, L'Aquila, Parma, Sesto San Giovanni, Como, Nuoro",
        "S.r.l.",
    ),
    "polish": _culture(
        "Zbigniew, Agnieszka, Łukasz, Małgorzata, Kazimierz, Bożena, Wojciech, Jadwiga",
        "Wiśniewski, Kowalska, Wójcik, Szczepańska, Dąbrowski, Krzyżanowska, Nowak",
        "Łódź, Rzeszów, Bielsko-Biała, Toruń, Zielona Góra, Gdynia",
        "Sp. z o.o.",
    ),
    "dutch": _culture(
        "Sjoerd, Marijke, Joost, Femke, Pieter, Roos, Willem, Lotte, Anne-Fleur",
        "van der Berg, de Jong, Hoekstra, van Dijk, ten Have, Visser, Kuipers, van den Heuvel",
        "Utrecht, 's-Hertogenbosch, Zwolle, Leeuwarden, Den Haag, Best",
        "B.V.",
    ),
    "nordic": _culture(
        "Åsa, Bjørn, Saga, Sölvi, Henrik, Aino, Søren, Liv, Mikko, Freja",
        "Lindqvist, Ødegård, Virtanen, Strand, Sjöberg, Berg, Þorsteinsson, Mäkelä, Holm",
        "Malmö, Tromsø, Jyväskylä, Aarhus, Bergen, Västerås",
        "AB",
    ),
    "turkish": _culture(
        "Mehmet, Ayşe, Deniz, Gülşen, Oğuz, Can, Elif, Hüseyin",
        "Yılmaz, Öztürk, Çelik, Şahin, Demir, Kılıç, Aydın",
        "İzmir, Diyarbakır, Bursa, Eskişehir, Van",
        "A.Ş.",
    ),
    "arabic": _culture(
        "Mohammed, Fatima, Abdul Rahman, Khadija, Youssef, Layla, Omar, Nur, Ali",
        "Al-Sayed, bin Khalid, El Mansouri, Haddad, Abu Bakr, Khoury, al-Hashimi, Said",
        "Alexandria, Ras Al Khaimah, Casablanca, Amman, Tripoli, Homs",
        "LLC",
    ),
    "indian": _culture(
        "Priya, Rajesh, Lakshmi, Arjun, Sunny, Deepika, Vikram, Anand, Gurpreet",
        "Venkataraman, Singh, Patel, Iyer, Mukherjee, Chopra, Rao, Das, Krishnamurthy",
        "Pune, Thiruvananthapuram, Jaipur, Surat, New Delhi, Coimbatore",
        "Pvt. Ltd.",
    ),
    "chinese": _culture(
        "Wei, Xiuying, Jian, Mei Ling, Zhihao, Lan, Guang, Ming, Yan",
        "Zhang, Li, Wang, Ouyang, Chen, Xu, Long, Song, An, He",
        "Shenzhen, Xi'an, Chengdu, Hangzhou, Wuxi, Urumqi",
        "Co., Ltd.",
    ),
    "vietnamese": _culture(
        "Thị Hương, Văn Minh, Linh, Quốc Anh, Thanh, Ngọc, Dung",
        "Nguyễn, Trần, Phạm, Vo, Lê, Do, Huynh, Bui",
        "Huế, Cần Thơ, Da Nang, Hải Phòng, Vinh",
        "JSC",
    ),
    "african": _culture(
        "Chidi, Ngozi, Kwame, Thandiwe, Sipho, Abena, Blessing, Precious, Emeka, Wanjiru",
        "Okonkwo, Mensah, Dlamini, Adeyemi, Nkosi, Achebe, Mwangi, Diallo, Traoré",
        "Enugu, Kumasi, Bloemfontein, Nakuru, Port Harcourt, Bamako",
        "PLC",
    ),
    "slavic": _culture(
        "Dmitri, Olga, Jiří, Svetlana, Goran, Žofie, Vesna, Miloš, Oleksandr",
        "Novák, Petrović, Ivanova, Dvořáková, Hnatiuk, Kovačević, Sokolov, Horvat",
        "Brno, Novi Sad, Kharkiv, Hradec Králové, Split, Ostrava",
        "s.r.o.",
    ),
}
_SECTORS = (
    "Consulting, Logistics, Partners, Insurance, Motors, Pharma, Holdings, Bank, Clinic, Foods"
)
_HOUSES = (
    "St. {} Hospital, {} General Hospital, University of {}, {} & Sons, Bank of {}, "
    "{} Medical Center"
)


def organisation(culture: Culture, rng: Random) -> str:
    """A firm named after a person or a place, or a house of the public."""
    name = rng.choice(culture.surnames).split()[-1]
    if rng.random() < 0.4:
        return rng.choice(_HOUSES.split(", ")).format(rng.choice((name, culture.places[0])))
    return f"{name} {rng.choice(_SECTORS.split(', '))} {culture.firm}"
