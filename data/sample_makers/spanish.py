"""A small archive in Spanish: a fall at work, as the clinic, a lawyer and a landlord write of it.

Nobody in it exists. The numbers of people and firms are from ranges that nobody was given.
"""

from __future__ import annotations

import io
import re
import zipfile
from email.message import EmailMessage
from email.policy import SMTP

import docx
from openpyxl import Workbook
from openpyxl.styles import Font
from reportlab.lib.enums import TA_JUSTIFY
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import cm
from reportlab.platypus import Paragraph, SimpleDocTemplate

from sample_makers import word

_PATIENT = [
    ("Paciente", "DNI", "NHC", "Fecha de nacimiento"),
    ("Julián Ibáñez Corral", "99999018D", "4471926", "14 de julio de 1978"),
]
_REPORT = [
    ("Motivo del ingreso", [
        "Varón de cuarenta y siete años que llega al servicio de urgencias el 9 de enero de 2026 "
        "después de una caída en su lugar de trabajo. El paciente trabaja en un almacén de "
        "muebles. Cayó desde una escalera y **perdió la conciencia durante dos minutos**.",
    ]),
    ("Antecedentes", [
        "Don Julián Ibáñez tiene la tensión alta desde 2014 y toma una pastilla cada mañana. No "
        "fuma y no bebe alcohol. Su madre murió de una enfermedad del corazón.",
    ]),
    ("Exploración", [
        "La pierna izquierda estaba hinchada y el paciente no podía andar. La temperatura era de "
        "36,8 °C y la tensión de 152/94. La radiografía mostró una **fractura de la tibia "
        "izquierda**. La doctora Nuria Olmedo Vidal vio las imágenes el mismo día.",
    ]),
    ("Evolución", [
        "El equipo operó al paciente el 10 de enero y la operación terminó sin problemas. El "
        "tercer día el paciente pudo andar con ayuda. Su mujer, Rosa Quintana Sáez, estuvo con él "
        "todas las noches y puede ser avisada en el teléfono 91 000 01 36.",
    ]),
    ("Recomendaciones", [
        "El paciente debe descansar durante seis semanas y no puede levantar peso. La próxima "
        "visita será el 27 de febrero de 2026 a las 10:30 en nuestra clínica. Si la fiebre "
        "vuelve, tiene que venir al hospital sin esperar.",
        "Dra. Nuria Olmedo Vidal",
    ]),
]  # fmt: skip
_MEDICINES = [
    ("Medicamento", "Dosis", "Cómo se toma"),
    ("Paracetamol", "1 g", "Cada ocho horas durante diez días"),
    ("Enoxaparina", "40 mg", "Una vez al día hasta el 9 de febrero de 2026"),
]

_CONTRACT = [
    "En Zaragoza, a 2 de marzo de 2026.",
    "<b>REUNIDOS</b>",
    "De una parte, doña Elvira Santamarta Robles, mayor de edad, con DNI 99999137J y domicilio en "
    "la calle del Olivo, 14, 3.º izquierda, de Zaragoza. De otra parte, la empresa Muebles "
    "Valdemora, S. L., con CIF B99999146, que alquila el local.",
    "<b>CLÁUSULAS</b>",
    "<b>Primera. Objeto.</b> La propietaria alquila a la empresa un local en la avenida de la "
    "Estación, 27. La empresa usará el local como almacén de muebles y no podrá cambiar su uso sin "
    "el permiso escrito de la propietaria.",
    "<b>Segunda. Duración.</b> El contrato empieza el 1 de abril de 2026 y termina el 31 de marzo "
    "de 2031. Cada parte puede terminar el contrato con un aviso de tres meses.",
    "<b>Tercera. Renta.</b> La renta es de 1.850 euros al mes. La empresa pagará la renta antes "
    "del día cinco de cada mes en la cuenta ES91 2100 0418 4502 0005 1332.",
    "<b>Cuarta. Fianza.</b> La empresa entrega hoy una fianza de 3.700 euros. La propietaria "
    "devolverá la fianza cuando reciba las llaves, si el local está en buen estado.",
    "<b>Quinta. Seguridad.</b> La empresa mantendrá las escaleras y las puertas en buen estado. La "
    "propietaria no responde de los daños que sufran los trabajadores.",
    "Y para que conste, las dos partes firman este contrato en la fecha indicada.",
]

_MAIL = """\
Estimado señor Ferrándiz:

Le escribo en nombre de mi cliente, don Julián Ibáñez Corral, que sufrió una
caída en el almacén de Muebles Valdemora el 9 de enero de 2026. Su número de
la Seguridad Social es 28/99999901/19.

La empresa no había reparado la escalera, aunque dos trabajadores habían
avisado del peligro. Mi cliente ha perdido cuatro meses de trabajo y pide una
cantidad de 24.500 euros.

Si su empresa acepta esta propuesta antes del 30 de junio, cerraremos el
asunto sin ir al juzgado. Puede llamarme al 91 000 01 79 o escribirme a
t.arriaga@example.org.

Reciba un cordial saludo,

Teresa Arriaga Montoro
Abogada
"""

_COSTS = [
    ("Fecha", "Concepto", "Pagado a", "Euros"),
    ("12/01/2026", "Silla de ruedas", "Farmacia Olmos", 180),
    ("19/01/2026", "Viaje a la clínica", "Andrés Peñalba Gil", 34),
    ("02/02/2026", "Sesión de rehabilitación", "Clínica Torrealba", 55),
    ("16/02/2026", "Informe del médico", "Nuria Olmedo Vidal", 120),
    ("27/02/2026", "Segunda visita del médico", "Clínica Torrealba", 90),
]


def make_report() -> bytes:
    """The clinic's report, DOCX."""
    document = docx.Document()
    word.set_look(document, "Informe clínico", "Nuria Olmedo Vidal")
    document.sections[0].header.paragraphs[0].text = "Clínica Torrealba, servicio de traumatología"
    document.sections[0].footer.paragraphs[0].text = "Este informe contiene datos confidenciales."
    document.add_heading("Informe clínico", level=1)
    word.add_table(document, _PATIENT)
    for title, paragraphs in _REPORT:
        document.add_heading(title, level=2)
        for text in paragraphs:
            word.add_marked(document.add_paragraph(), text)
    document.add_heading("Medicación", level=2)
    word.add_table(document, _MEDICINES)
    return word.to_bytes(document)


def make_contract() -> bytes:
    """The lease of the store, PDF, with a fixed identifier and no date."""
    target = io.BytesIO()
    title = ParagraphStyle("title", fontName="Times-Bold", fontSize=16, leading=24, spaceAfter=12)
    body = ParagraphStyle(
        "body",
        fontName="Times-Roman",
        fontSize=11.5,
        leading=16,
        spaceAfter=9,
        alignment=TA_JUSTIFY,
    )
    template = SimpleDocTemplate(
        target,
        pagesize=A4,
        leftMargin=2.6 * cm,
        rightMargin=2.6 * cm,
        title="Contrato de arrendamiento",
        author="Elvira Santamarta Robles",
        subject="Almacén de muebles",
        invariant=1,
    )
    heading = Paragraph("Contrato de arrendamiento de local", title)
    template.build([heading, *(Paragraph(text, body) for text in _CONTRACT)])
    return target.getvalue()


def make_proposal() -> bytes:
    """The lawyer's mail, plain text."""
    message = EmailMessage(policy=SMTP)
    message["From"] = "Teresa Arriaga Montoro <t.arriaga@example.org>"
    message["To"] = "Gonzalo Ferrándiz <g.ferrandiz@valdemora.example.org>"
    message["Subject"] = "Propuesta de acuerdo en el asunto de la caída"
    message["Date"] = "Tue, 02 Jun 2026 10:12:00 +0200"
    message["Message-ID"] = "<20260602101200.27@arriaga.example.org>"
    message.set_content(_MAIL, cte="quoted-printable")
    return message.as_bytes(policy=SMTP)


def make_costs() -> bytes:
    """What the fall has cost, XLSX, with a formula for the sum."""
    book = Workbook()
    sheet = book.create_sheet("Gastos")
    book.remove(book.worksheets[0])
    for row in _COSTS:
        sheet.append(row)
    sheet.append(("", "Total", "", f"=SUM(D2:D{len(_COSTS)})"))
    for cell in (*sheet[1], *sheet[len(_COSTS) + 1]):
        cell.font = Font(bold=True)
    for column, width in zip("ABCD", (12, 26, 22, 8), strict=True):
        sheet.column_dimensions[column].width = width
    book.properties.title, book.properties.creator = "Gastos de la caída", "Teresa Arriaga Montoro"
    return _date(book)


def _date(book: Workbook) -> bytes:
    """The saved workbook, everything in it dated ``word.MADE``."""
    saved, stable = io.BytesIO(), io.BytesIO()
    book.save(saved)
    made = word.MADE.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
    with zipfile.ZipFile(saved) as source, zipfile.ZipFile(stable, "w") as target:
        for name in source.namelist():
            entry = zipfile.ZipInfo(name, word.MADE.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            content = source.read(name)
            if name == "docProps/core.xml":
                content = re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", made, content)
            target.writestr(entry, content)
    return stable.getvalue()
