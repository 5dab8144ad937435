# Generated from contract/openapi.json by npm run contract; do not edit.
"""What a license allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...not_given import present
from .. import operations
from ..models import LicenseVerdict

if TYPE_CHECKING:
    from ..._sync.client import BeatMarket


class Licenses:
    """What a license allows."""

    def __init__(self, client: BeatMarket) -> None:
        self._client = client

    def may(
        self,
        license_id: str,
        *,
        use: str,
        quantity: int | None = None,
        territory: str | None = None,
        on: str | None = None,
    ) -> LicenseVerdict:
        """Ask whether a license allows a use.

        Answers `yes`, `no` or `unknown` from the terms that the license was sold under, with the clause that decides
        and what to buy for a yes. The id of a certificate is all that it takes.

        Args:
            license_id: Identifier of the license: a UUID, which its certificate has.
            use: What is asked for, such as `streams` or `content_id`; the list of uses says what each is.
            quantity: How many in total: streams, copies, videos. Default: 1.
            territory: The country of the use, by ISO 3166-1, such as `DE`.
            on: The day of the use, in UTC. Default: today.
        """
        body = present(use=use, quantity=quantity, territory=territory, on=on)
        return self._client._object(
            operations.ASK_LICENSE, LicenseVerdict, "verdict", path={"license_id": license_id}, body=body
        )
