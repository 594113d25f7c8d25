"""The two interfaces of OpenAI that can translate: what a request to each looks like, and what its
answer says. Chat completions is what everybody else imitates; responses is OpenAI's newer one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import openai
from pydantic import BaseModel, ConfigDict, ValidationError

from prism_core.errors import BadAnswer, Rejected, TranslatorError
from prism_core.settings.translators import TranslatorSettings
from prism_core.translators.openai_errors import failed_response
from prism_core.translators.openai_prompt import SCHEMA, instructions, sentences


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the model; without ``instructions`` a plain text is expected."""

    content: str
    instructions: str | None = None
    strict: bool = True


@dataclass(frozen=True, slots=True)
class Interface:
    """One of the two: ``content`` raises a ``TranslatorError`` when the model wrote nothing.

    ``path`` is where it is, as requests of a batch name it.
    """

    path: Literal["/v1/chat/completions", "/v1/responses"]
    body: Callable[[Question], dict[str, Any]]
    send: Callable[[openai.AsyncOpenAI, dict[str, Any]], Awaitable[bytes]]
    content: Callable[[bytes], str]


_NAMED_SCHEMA = {"name": "translations", "strict": True, "schema": SCHEMA}


class _Lenient(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _Message(_Lenient):
    content: str | None = None
    refusal: str | None = None


class _Choice(_Lenient):
    message: _Message
    finish_reason: str | None = None


class _Completion(_Lenient):
    choices: list[_Choice]


class _Part(_Lenient):
    type: str
    text: str | None = None
    refusal: str | None = None


class _Output(_Lenient):
    type: str
    content: list[_Part] | None = None


class _Incomplete(_Lenient):
    reason: str | None = None


class _Failure(_Lenient):
    code: str


class _Response(_Lenient):
    output: tuple[_Output, ...] = ()
    status: str | None = None
    incomplete_details: _Incomplete | None = None
    error: _Failure | None = None


_Model = TypeVar("_Model", bound=BaseModel)


def _chat_body(question: Question) -> dict[str, Any]:
    user = {"role": "user", "content": question.content}
    if question.instructions is None:
        return {"messages": [user]}
    strict = {"type": "json_schema", "json_schema": _NAMED_SCHEMA}
    return {
        "response_format": strict if question.strict else {"type": "json_object"},
        "messages": [{"role": "system", "content": question.instructions}, user],
    }


def _responses_body(question: Question) -> dict[str, Any]:
    """Without ``store`` the provider would keep question and answer, to be fetched again."""
    if question.instructions is None:
        return {"store": False, "input": question.content}
    strict = {"type": "json_schema", **_NAMED_SCHEMA}
    return {
        "store": False,
        "instructions": question.instructions,
        "input": question.content,
        "text": {"format": strict if question.strict else {"type": "json_object"}},
    }


async def _send_chat(client: openai.AsyncOpenAI, body: dict[str, Any]) -> bytes:
    response = await client.chat.completions.with_raw_response.create(**body)
    return bytes(response.content)


async def _send_responses(client: openai.AsyncOpenAI, body: dict[str, Any]) -> bytes:
    response = await client.responses.with_raw_response.create(**body)
    return bytes(response.content)


def _chat_content(answer: bytes) -> str:
    completion = _parsed(_Completion, answer)
    if not completion.choices:
        raise BadAnswer("The provider's answer holds no choice.")
    choice = completion.choices[0]
    if choice.finish_reason == "length":
        raise _cut_off()
    if choice.message.refusal or choice.finish_reason == "content_filter":
        raise _refused()
    return _written(choice.message.content)


def _responses_content(answer: bytes) -> str:
    response = _parsed(_Response, answer)
    if response.error is not None or response.status == "failed":
        raise failed_response(response.error.code if response.error else None)
    reason = response.incomplete_details.reason if response.incomplete_details else None
    parts = [part for item in response.output for part in item.content or ()]
    if reason == "content_filter" or any(part.refusal for part in parts):
        raise _refused()
    if response.status == "incomplete":
        raise _cut_off()
    return _written("".join(part.text or "" for part in parts if part.type == "output_text"))


def _written(content: str | None) -> str:
    if not content:
        raise BadAnswer("The provider's answer is empty.")
    return content


def _cut_off() -> TranslatorError:
    return Rejected("The answer was cut off at the model's length limit.")


def _refused() -> TranslatorError:
    return Rejected("The model refused to translate a sentence of the request.")


def _parsed(model: type[_Model], data: bytes) -> _Model:
    try:
        return model.model_validate_json(data)
    except ValidationError:
        pass  # it quotes the answer, so it must not become the context of what is raised
    raise BadAnswer("The provider's answer is not the JSON that was asked for.")


INTERFACES: Mapping[str, Interface] = {
    "chat": Interface("/v1/chat/completions", _chat_body, _send_chat, _chat_content),
    "responses": Interface("/v1/responses", _responses_body, _send_responses, _responses_content),
}


def question_of(
    texts: Sequence[str], source: str, target: str, settings: TranslatorSettings
) -> Question:
    """The production prompt with ``texts``."""
    strict = settings.answer_format == "json_schema"
    return Question(sentences(texts), instructions(source, target), strict)


def body_of(question: Question, settings: TranslatorSettings) -> dict[str, Any]:
    """The body of the request that asks ``question`` of the model of ``settings``."""
    temperature = settings.temperature
    return {
        "model": settings.model,
        **({} if temperature == "default" else {"temperature": temperature}),
        **INTERFACES[settings.api].body(question),
    }
