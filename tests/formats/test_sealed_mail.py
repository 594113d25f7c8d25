"""Signed and encrypted mail, made by real programs' means: refused by class, never edited."""

import datetime
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, pkcs7

from prism_core.errors import DocumentFailure
from prism_core.formats import read_document
from tests.formats.mails import HEADERS, message, mixed, refusal, saved, texts, translated

TEXT = b"Content-Type: text/plain\r\n\r\nWe meet at noon.\r\n"
PLAIN = b"Content-Type: text/plain; charset=us-ascii"
ENCRYPTED = b"""\
-----BEGIN PGP MESSAGE-----

jA0ECQMCLlvOFbVKucb/0kYBbzF/Vw2Mp2HIJNufnFvLvjmXol3iqPJRho4/1sTo
2qTRcR00VQP8v38QKoXJAoxikGwkI+MzTeJ6wqj/iPbXa/Q3Hk+m
=7iti
-----END PGP MESSAGE-----
"""
SIGNED = b"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nWe meet at noon.\n"


@pytest.fixture(scope="module")
def identity():
    key = rsa.generate_private_key(65537, 2048)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "ana@example.org")])
    start = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(start)
        .not_valid_after(start + datetime.timedelta(days=900))
        .sign(key, hashes.SHA256())
    )
    return key, certificate


def signed(identity, *options):
    key, certificate = identity
    builder = pkcs7.PKCS7SignatureBuilder().set_data(TEXT)
    builder = builder.add_signer(certificate, key, hashes.SHA256())
    return HEADERS + builder.sign(Encoding.SMIME, list(options))


def encrypted(identity):
    builder = pkcs7.PKCS7EnvelopeBuilder().set_data(TEXT).add_recipient(identity[1])
    return HEADERS + builder.encrypt(Encoding.SMIME, [])


def sealed(identity, kind):
    if kind == "encrypted":
        return encrypted(identity)
    detached = [pkcs7.PKCS7Options.DetachedSignature] if kind == "detached" else []
    return signed(identity, *detached)


@pytest.mark.parametrize(
    ("kind", "failure"),
    [
        ("detached", DocumentFailure.SIGNED),
        ("opaque", DocumentFailure.SIGNED),
        ("encrypted", DocumentFailure.ENCRYPTED),
    ],
)
def test_s_mime_is_refused_and_stays_within_other_mail(tmp_path, identity, kind, failure):
    content = sealed(identity, kind)
    assert refusal(saved(tmp_path, content)) is failure
    within = b"Content-Type: message/rfc822\r\n\r\n" + content
    body, header = mixed(PLAIN + b"\r\n\r\nSee below.", within, boundary=b"outermost")
    path = saved(tmp_path, message(body, header))
    assert read_document(path).notices == (f"attachment:{failure.value}",)
    assert within in translated(path, str.upper)[0]


def test_an_opaque_structure_in_a_mail_of_parts_seals_it(tmp_path, identity):
    part = b"Content-Type: application/octet-stream; name=smime.p7m\r\n\r\nMIIC"
    body, header = mixed(PLAIN + b"\r\n\r\nSee below.", part)
    assert refusal(saved(tmp_path, message(body, header))) is DocumentFailure.ENCRYPTED


def test_a_signature_that_a_list_server_moved_still_seals(tmp_path):
    part = b"Content-Type: application/pkcs7-signature; name=smime.p7s\r\n\r\nMIIC"
    body, header = mixed(PLAIN + b"\r\n\r\nSee below.", part)
    assert refusal(saved(tmp_path, message(body, header))) is DocumentFailure.SIGNED


@pytest.mark.parametrize(
    ("kind", "protocol", "failure"),
    [
        ("signed", "application/pgp-signature", DocumentFailure.SIGNED),
        ("encrypted", "application/pgp-encrypted", DocumentFailure.ENCRYPTED),
    ],
)
def test_pgp_mime_is_refused(tmp_path, kind, protocol, failure):
    mail = EmailMessage(policy=policy.SMTP)
    mail["Subject"] = "The hearing"
    mail.set_type(f"multipart/{kind}")
    mail.set_param("protocol", protocol)
    mail.attach(BytesParser(policy=policy.SMTP).parsebytes(TEXT))
    other = EmailMessage(policy=policy.SMTP)
    other.set_content(ENCRYPTED, "application", protocol.partition("/")[2])
    mail.attach(other)
    assert refusal(saved(tmp_path, bytes(mail))) is failure


@pytest.mark.parametrize(
    ("body", "failure"),
    [
        (b"<pre>" + ENCRYPTED + b"</pre>", DocumentFailure.ENCRYPTED),
        (b"<p>Hi<br>" + ENCRYPTED.replace(b"\n", b"<br>\n"), DocumentFailure.ENCRYPTED),
        (b"<div>" + SIGNED.replace(b"\n", b"</div><div>"), DocumentFailure.SIGNED),
    ],
)
def test_pgp_in_html_is_refused(tmp_path, body, failure):
    assert refusal(saved(tmp_path, message(body, b"Content-Type: text/html"))) is failure


def test_pgp_that_a_reply_quotes_does_not_seal_the_reply(tmp_path):
    quoted = SIGNED.replace(b"\n", b"\n> ")
    path = saved(tmp_path, message(b"I agree.\n\n> " + quoted, PLAIN))
    assert texts(path)[:2] == ["The hearing", "I agree."]


def test_an_encrypted_file_and_a_key_stay_while_the_mail_is_translated(tmp_path):
    head = b'Content-Type: text/plain\r\nContent-Disposition: attachment; filename="%s"\r\n\r\n'
    key = ENCRYPTED.replace(b"MESSAGE", b"PUBLIC KEY BLOCK")
    parts = (head % b"note.asc" + ENCRYPTED, head % b"key.asc" + key)
    body, header = mixed(PLAIN + b"\r\n\r\nSee below.", *parts)
    path = saved(tmp_path, message(body, header))
    assert read_document(path).notices == ("attachment:encrypted", "attachment:unsupported")
    after, _ = translated(path, str.upper)
    assert b"SEE BELOW." in after
    assert all(part in after for part in parts)
