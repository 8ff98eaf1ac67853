"""Which model answers which role, in which language."""

from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import TypeVar

from sim.errors import ConfigError
from sim.llm.protocol import LanguageModel, Reply, Request

Roles = Mapping[str, str]
T = TypeVar("T")


class Router:
    """Sends each request to the model of its role.

    Args:
        models: the models by name.
        roles: name of the model for each role; ``default`` answers roles not listed.
        by_language: the same for single languages; what is not listed there goes by ``roles``.

    Raises:
        ConfigError: a role names a model that is not there, or there is no default.
    """

    def __init__(
        self,
        models: Mapping[str, LanguageModel],
        roles: Roles,
        by_language: Mapping[str, Roles] | None = None,
    ) -> None:
        if "default" not in roles:
            raise ConfigError("llm.roles.default is missing: name the model for roles not listed")
        self._by_role = _chosen(models, roles, "llm.roles")
        self._by_language = {
            language: _chosen(models, own, f"llm.by_language.{language}")
            for language, own in (by_language or {}).items()
        }
        # By identity: two names may stand for one client, which is closed once.
        self._open = {id(model): model for model in models.values()}

    async def complete(self, request: Request) -> Reply:
        """Answers with the model of the request's language and role."""
        return await self._model(request).complete(request)

    def _model(self, request: Request) -> LanguageModel:
        model = answering(request.role, request.language, self._by_role, self._by_language)
        assert model is not None, "roles have a default"
        return model

    async def close(self) -> None:
        """Closes every model once, the others too where one fails to close."""
        models, self._open = self._open, {}
        async with AsyncExitStack() as stack:
            for model in models.values():
                stack.push_async_callback(model.close)


def answering(
    role: str, language: str, roles: Mapping[str, T], by_language: Mapping[str, Mapping[str, T]]
) -> T | None:
    """What a role goes to: by the table of the language, else by the common one; None where neither says."""
    for table in (by_language.get(language, {}), roles):
        if (found := table.get(role, table.get("default"))) is not None:
            return found
    return None


def _chosen(models: Mapping[str, LanguageModel], roles: Roles, key: str) -> dict[str, LanguageModel]:
    for role, name in roles.items():
        if name not in models:
            raise ConfigError(f"{key}.{role}: no model {name!r}, use one of {', '.join(models)}")
    return {role: models[name] for role, name in roles.items()}
