"""Which model answers which role."""

from collections.abc import Mapping
from contextlib import AsyncExitStack

from sim.errors import ConfigError
from sim.llm.protocol import LanguageModel, Reply, Request


class Router:
    """Sends each request to the model of its role.

    Args:
        models: the models by name.
        roles: name of the model for each role; ``default`` answers roles not listed.

    Raises:
        ConfigError: a role names a model that is not there, or there is no default.
    """

    def __init__(self, models: Mapping[str, LanguageModel], roles: Mapping[str, str]) -> None:
        if "default" not in roles:
            raise ConfigError("llm.roles.default is missing: name the model for roles not listed")
        for role, name in roles.items():
            if name not in models:
                raise ConfigError(f"llm.roles.{role}: no model {name!r}, use one of {', '.join(models)}")
        self._by_role = {role: models[name] for role, name in roles.items()}
        # By identity: two names may stand for one client, which is closed once.
        self._open = {id(model): model for model in models.values()}

    async def complete(self, request: Request) -> Reply:
        """Answers with the model of the request's role."""
        model = self._by_role.get(request.role, self._by_role["default"])
        return await model.complete(request)

    async def close(self) -> None:
        """Closes every model once, the others too where one fails to close."""
        models, self._open = self._open, {}
        async with AsyncExitStack() as stack:
            for model in models.values():
                stack.push_async_callback(model.close)
