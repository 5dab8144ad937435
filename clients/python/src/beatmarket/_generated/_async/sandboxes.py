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

        Makes a service of its own, with a time that stands still until it is advanced. A repeated request with the same
        `Idempotency-Key` makes one sandbox.

        Args:
            seed: What the sandbox grows from: the same seed makes the same ids, beats and buyers. A random one by
                default.
            webhook_url: Where all events of the sandbox are delivered.
            catalogue: `demo`: 500 invented beats. `empty`: none. Default: demo.
            idempotency_key: 1 to 255 visible ASCII characters. Calls with the same key within 24 hours are done once.
                Default: a random key, shared by the attempts of this call and kept as `idempotency_key` of the error if
                all of them fail.
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
        """List your sandboxes. The sandboxes of the account, oldest first."""
        return await self._client._array(operations.LIST_SANDBOXES, Sandbox, "sandboxes")

    async def get(self, sandbox_id: str) -> Sandbox:
        """Get a sandbox.

        A sandbox with its time.

        Args:
            sandbox_id: Its id.
        """
        return await self._client._object(operations.GET_SANDBOX, Sandbox, "sandbox", path={"sandbox_id": sandbox_id})

    async def delete(self, sandbox_id: str) -> Sandbox:
        """Delete a sandbox.

        Deletes its database, its files and its keys at once. The response shows what it was.

        Args:
            sandbox_id: Its id.
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
        """Move a sandbox forward.

        Runs, in the order of time, all that would have happened. A call runs for up to 10 seconds; `remaining` is `by`
        of the next one.

        Args:
            sandbox_id: Its id.
            by: How far, at most 3,650 days: `P90D`.
            orders_per_day: How many orders the simulated buyers place in a day, on average. Default: 0.
            faults: What goes wrong in that time.
        """
        body = present(by=by, orders_per_day=orders_per_day, faults=faults)
        return await self._client._object(
            operations.ADVANCE_SANDBOX, SandboxAdvance, "advance", path={"sandbox_id": sandbox_id}, body=body
        )

    async def fork(self, sandbox_id: str, *, idempotency_key: str | None = None) -> CreatedSandbox:
        """Copy a sandbox.

        A further sandbox with the same time and data, and a key of its own. A repeated request with the same
        `Idempotency-Key` makes one copy.

        Args:
            sandbox_id: Its id.
            idempotency_key: 1 to 255 visible ASCII characters. Calls with the same key within 24 hours are done once.
                Default: a random key, shared by the attempts of this call and kept as `idempotency_key` of the error if
                all of them fail.
        """
        return await self._client._object(
            operations.FORK_SANDBOX,
            CreatedSandbox,
            "sandbox",
            path={"sandbox_id": sandbox_id},
            headers={"idempotency-key": idempotency_key},
        )
