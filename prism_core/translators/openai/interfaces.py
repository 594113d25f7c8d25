"""The two interfaces of OpenAI: how each encodes a question and holds its answer.

Entry: ``INTERFACES``; then ``Interface.body`` -> ``Interface.send`` -> ``Interface.content``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from prism_core.errors import BadAnswer, Rejected
from prism_core.translators.http import parse_answer
from prism_core.translators.openai.client import LenientAnswer, error_of_response

if TYPE_CHECKING:
    import openai


@dataclass(frozen=True, slots=True)
class ModelQuestion:
    """Question to the model; without ``instructions`` a plain text is expected.

    ``schema`` is the JSON schema of the answer; None leaves the form to the instructions.
    """

    content: str
    instructions: str | None = None
    schema: Mapping[str, Any] | None = None

    @property
    def named_schema(self) -> dict[str, Any]:
        """Schema in the form that a request needs."""
        return {"name": "translations", "strict": True, "schema": self.schema}


class Interface(ABC):
    """Interface of OpenAI; ``path`` is its path, as requests of a batch name it."""

    path: Literal["/v1/chat/completions", "/v1/responses"]

    @abstractmethod
    def body(self, question: ModelQuestion) -> dict[str, Any]:
        """Return the part of a request's body that encodes ``question``."""

    @abstractmethod
    def resource(self, client: openai.AsyncOpenAI) -> Any:
        """Return the resource of the library that sends such a request."""

    @abstractmethod
    def content(self, answer: bytes) -> str:
        """Return the model's text; raise a ``TranslatorError`` when there is none."""

    async def send(self, client: openai.AsyncOpenAI, body: dict[str, Any]) -> bytes:
        """Send ``body`` and return the raw answer."""
        response = await self.resource(client).with_raw_response.create(**body)
        return bytes(response.content)


_CUT_OFF = (
    "The answer was cut off at the model's length limit. If that goes for many, raise the limit of "
    "the endpoint, or ask a model that ends its answers."
)
_REFUSED = "The model refused to translate a sentence of the request."


class _OpenAIMessage(LenientAnswer):
    content: str | None = None
    refusal: str | None = None


class _OpenAIChoice(LenientAnswer):
    message: _OpenAIMessage
    finish_reason: str | None = None


class _OpenAICompletion(LenientAnswer):
    choices: list[_OpenAIChoice]


class _OpenAIPart(LenientAnswer):
    type: str
    text: str | None = None
    refusal: str | None = None


class _OpenAIOutput(LenientAnswer):
    type: str
    content: list[_OpenAIPart] | None = None


class _OpenAIIncomplete(LenientAnswer):
    reason: str | None = None


class _OpenAIFailure(LenientAnswer):
    code: str


class _OpenAIResponse(LenientAnswer):
    output: tuple[_OpenAIOutput, ...] = ()
    status: str | None = None
    incomplete_details: _OpenAIIncomplete | None = None
    error: _OpenAIFailure | None = None


def _require_content(content: str | None) -> str:
    if not content:
        raise BadAnswer("The provider's answer is empty.")
    return content


class _Chat(Interface):
    path = "/v1/chat/completions"

    def body(self, question: ModelQuestion) -> dict[str, Any]:
        user = {"role": "user", "content": question.content}
        if question.instructions is None:
            return {"messages": [user]}
        strict = {"type": "json_schema", "json_schema": question.named_schema}
        return {
            "response_format": strict if question.schema else {"type": "json_object"},
            "messages": [{"role": "system", "content": question.instructions}, user],
        }

    def resource(self, client: openai.AsyncOpenAI) -> Any:
        return client.chat.completions

    def content(self, answer: bytes) -> str:
        completion = parse_answer(_OpenAICompletion, answer)
        if not completion.choices:
            raise BadAnswer("The provider's answer holds no choice.")
        choice = completion.choices[0]
        if choice.finish_reason == "length":
            raise Rejected(_CUT_OFF)
        if choice.message.refusal or choice.finish_reason == "content_filter":
            raise Rejected(_REFUSED)
        return _require_content(choice.message.content)


class _Responses(Interface):
    path = "/v1/responses"

    def body(self, question: ModelQuestion) -> dict[str, Any]:
        """Return the body; without ``store`` the provider would keep question and answer."""
        if question.instructions is None:
            return {"store": False, "input": question.content}
        strict = {"type": "json_schema", **question.named_schema}
        return {
            "store": False,
            "instructions": question.instructions,
            "input": question.content,
            "text": {"format": strict if question.schema else {"type": "json_object"}},
        }

    def resource(self, client: openai.AsyncOpenAI) -> Any:
        return client.responses

    def content(self, answer: bytes) -> str:
        response = parse_answer(_OpenAIResponse, answer)
        if response.error is not None or response.status == "failed":
            raise error_of_response(response.error.code if response.error else None)
        reason = response.incomplete_details.reason if response.incomplete_details else None
        parts = [part for item in response.output for part in item.content or ()]
        if reason == "content_filter" or any(part.refusal for part in parts):
            raise Rejected(_REFUSED)
        if response.status == "incomplete":
            raise Rejected(_CUT_OFF)
        return _require_content(
            "".join(part.text or "" for part in parts if part.type == "output_text")
        )


INTERFACES: Mapping[str, Interface] = {"chat": _Chat(), "responses": _Responses()}
