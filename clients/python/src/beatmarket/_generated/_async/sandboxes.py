# Generated from contract/openapi.json by npm run contract; do not edit.
"""Services of your own whose time you set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...not_given import present
from ...operation import ItemList
from .. import operations
from ..enums import SandboxCatalogue
from ..models import CreatedSandbox, Sandbox, SandboxAdvance, SandboxFault

if TYPE_CHECKING:
    from ..._async.client import AsyncBeatMarket


class AsyncSandboxes:
    """Services of your own whose time you set."""

    def __init__(self, client: AsyncBeatMarket) -> None:
        self._client = client

    async def create(
        self,
        *,
        seed: str | None = None,
        webhook_url: str | None = None,
        catalogue: SandboxCatalogue | None = None,
        idempotency_key: str | None = None,
    ) -> CreatedSandbox:
        """Create a sandbox.

        Creates a sandbox: a copy of the service with its own data, whose clock stands still until you advance it. A
        repeated request with the same `Idempotency-Key` creates one sandbox.

        Args:
            seed: The seed of the sandbox. The same seed generates the same ids, beats and buyers. Default: a random
                seed.
            webhook_url: The address that gets all events of the sandbox.
            catalogue: `demo`: 500 invented beats. `empty`: no beats, only the genres. Default: demo.
            idempotency_key: 1 to 255 visible ASCII characters. Calls with the same key within 24 hours are carried out
                once. Default: a random key, shared by the attempts of this call and kept as `idempotency_key` of the
                error if all of them fail.
        """
        body = present(seed=seed, webhook_url=webhook_url, catalogue=catalogue)
        return await self._client._object(
            operations.CREATE_SANDBOX,
            CreatedSandbox,
            "sandbox",
            body=body,
            headers={"idempotency-key": idempotency_key},
        )

    async def list(self) -> ItemList[Sandbox]:
        """List your sandboxes. Returns the sandboxes of the account, the oldest first."""
        return await self._client._array(operations.LIST_SANDBOXES, Sandbox, "sandboxes")

    async def get(self, sandbox_id: str) -> Sandbox:
        """Get a sandbox.

        Returns a sandbox with its present time.

        Args:
            sandbox_id: Identifier of the sandbox.
        """
        return await self._client._object(operations.GET_SANDBOX, Sandbox, "sandbox", path={"sandbox_id": sandbox_id})

    async def delete(self, sandbox_id: str) -> Sandbox:
        """Delete a sandbox.

        Deletes the sandbox with its database, files and keys at once, and returns it as it was.

        Args:
            sandbox_id: Identifier of the sandbox.
        """
        return await self._client._object(
            operations.DELETE_SANDBOX, Sandbox, "sandbox", path={"sandbox_id": sandbox_id}
        )

    async def advance(
        self,
        sandbox_id: str,
        *,
        by: str,
        orders_per_day: int | None = None,
        faults: Sequence[SandboxFault] | None = None,
    ) -> SandboxAdvance:
        """Advance the clock of a sandbox.

        Advances the clock, and executes all that happens until then in the order of time. A request works for up to 10
        seconds; pass `remaining` as `by` of the next one.

        Args:
            sandbox_id: Identifier of the sandbox.
            by: The duration to advance by, at most 3,650 days, such as `P90D`.
            orders_per_day: How many orders the simulated buyers place in each day, at random times. Default: 0.
            faults: The faults that happen in that time.
        """
        body = present(by=by, orders_per_day=orders_per_day, faults=faults)
        return await self._client._object(
            operations.ADVANCE_SANDBOX, SandboxAdvance, "advance", path={"sandbox_id": sandbox_id}, body=body
        )

    async def fork(self, sandbox_id: str, *, idempotency_key: str | None = None) -> CreatedSandbox:
        """Copy a sandbox.

        Creates another sandbox with the same time and data, and a key of its own. A repeated request with the same
        `Idempotency-Key` creates one copy.

        Args:
            sandbox_id: Identifier of the sandbox.
            idempotency_key: 1 to 255 visible ASCII characters. Calls with the same key within 24 hours are carried out
                once. Default: a random key, shared by the attempts of this call and kept as `idempotency_key` of the
                error if all of them fail.
        """
        return await self._client._object(
            operations.FORK_SANDBOX,
            CreatedSandbox,
            "sandbox",
            path={"sandbox_id": sandbox_id},
            headers={"idempotency-key": idempotency_key},
        )
