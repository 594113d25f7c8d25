"""OpenAI's two interfaces: how a question is put to each, and where its answer stands.

Entry: ``INTERFACES``; then ``Interface.body`` -> ``Interface.send`` -> ``Interface.content``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from pydantic import BaseModel, ValidationError

from prism_core.errors import BadAnswer, Rejected, TranslatorError
from prism_core.translators.openai_client import LenientAnswer, error_of_response

if TYPE_CHECKING:
    import openai


@dataclass(frozen=True, slots=True)
class ModelQuestion:
    """What is asked of the model; without ``instructions`` a plain text is expected.

    ``schema`` is what the answer is to look like; None leaves that to the instructions.
    """

    content: str
    instructions: str | None = None
    schema: Mapping[str, Any] | None = None

    @property
    def named_schema(self) -> dict[str, Any]:
        """The schema as a request has it."""
        return {"name": "translations", "strict": True, "schema": self.schema}


@dataclass(frozen=True, slots=True)
class Interface:
    """One of the two: ``content`` raises a ``TranslatorError`` when the model wrote nothing.

    ``path`` is where it is, as requests of a batch name it.
    """

    path: Literal["/v1/chat/completions", "/v1/responses"]
    body: Callable[[ModelQuestion], dict[str, Any]]
    resource: Callable[[openai.AsyncOpenAI], Any]
    content: Callable[[bytes], str]

    async def send(self, client: openai.AsyncOpenAI, body: dict[str, Any]) -> bytes:
        """The answer as it came."""
        response = await self.resource(client).with_raw_response.create(**body)
        return bytes(response.content)


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


_Shape = TypeVar("_Shape", bound=BaseModel)


def _chat_body(question: ModelQuestion) -> dict[str, Any]:
    user = {"role": "user", "content": question.content}
    if question.instructions is None:
        return {"messages": [user]}
    strict = {"type": "json_schema", "json_schema": question.named_schema}
    return {
        "response_format": strict if question.schema else {"type": "json_object"},
        "messages": [{"role": "system", "content": question.instructions}, user],
    }


def _responses_body(question: ModelQuestion) -> dict[str, Any]:
    """Without ``store`` the provider would keep question and answer, to be fetched again."""
    if question.instructions is None:
        return {"store": False, "input": question.content}
    strict = {"type": "json_schema", **question.named_schema}
    return {
        "store": False,
        "instructions": question.instructions,
        "input": question.content,
        "text": {"format": strict if question.schema else {"type": "json_object"}},
    }


def _chat_content(answer: bytes) -> str:
    completion = parse_answer(_OpenAICompletion, answer)
    if not completion.choices:
        raise BadAnswer("The provider's answer holds no choice.")
    choice = completion.choices[0]
    if choice.finish_reason == "length":
        raise _cut_off()
    if choice.message.refusal or choice.finish_reason == "content_filter":
        raise _refused()
    return _written(choice.message.content)


def _responses_content(answer: bytes) -> str:
    response = parse_answer(_OpenAIResponse, answer)
    if response.error is not None or response.status == "failed":
        raise error_of_response(response.error.code if response.error else None)
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


def parse_answer(model: type[_Shape], data: bytes | str) -> _Shape:
    """``data``, which is JSON, as ``model``; raises ``BadAnswer`` that does not quote it."""
    try:
        return model.model_validate_json(data)
    except ValidationError:
        pass  # it quotes the answer, so it must not become the context of what is raised
    raise BadAnswer("The provider's answer is not the JSON that was asked for.")


INTERFACES: Mapping[str, Interface] = {
    "chat": Interface(
        "/v1/chat/completions", _chat_body, lambda client: client.chat.completions, _chat_content
    ),
    "responses": Interface(
        "/v1/responses", _responses_body, lambda client: client.responses, _responses_content
    ),
}
