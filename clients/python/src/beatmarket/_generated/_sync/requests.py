# Generated from contract/openapi.json by npm run contract; do not edit.
"""The request log of the key's account."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from ...request import Query
from .. import operations
from ..enums import StatusClass
from ..models import LoggedRequestDetail, RequestPage

if TYPE_CHECKING:
    from ..._sync.client import BeatMarket


class Requests:
    """The request log of the key's account."""

    def __init__(self, client: BeatMarket) -> None:
        self._client = client

    def list(
        self,
        *,
        from_: datetime | str | None = None,
        to: datetime | str | None = None,
        status_class: StatusClass | None = None,
        status: int | None = None,
        method: str | None = None,
        operation_id: str | None = None,
        key: int | None = None,
        request_id: str | None = None,
        text: str | None = None,
        after: str | None = None,
        limit: int | None = None,
    ) -> RequestPage:
        """List your requests.

        Returns the requests of the last 30 days with keys of the account, newest first. A request is in the log a
        moment after its response. A response searches a bounded part of the log, so it can have fewer requests than
        `limit` and still a `next`: pass it as `after` of the next request.

        Args:
            from_: Only requests from this time on, ISO 8601. A date alone is its first moment in UTC.
            to: Only requests before this time, ISO 8601. A date alone is its first moment in UTC.
            status_class: Only requests whose status has this first digit.
            status: Only requests with this status. From 100 to 599.
            method: Only requests with this method, such as `GET`.
            operation_id: Only requests of this operation; `none` for paths outside of the API.
            key: Only requests made with this key.
            request_id: Only the request with this id, the `X-Request-Id` of its response.
            text: Only requests that contain this text in the path, the query, the error details, the request id or the
                user agent.
            after: The `next` of the previous response. Returns the requests that follow it in the list, which are
                older.
            limit: The maximum number of requests in a response. From 1 to 100. Default: 50.
        """
        query: Query = {
            "from": from_,
            "to": to,
            "status_class": status_class,
            "status": status,
            "method": method,
            "operation_id": operation_id,
            "key": key,
            "request_id": request_id,
            "text": text,
            "after": after,
            "limit": limit,
        }
        return self._client._object(operations.LIST_REQUESTS, RequestPage, None, query=query)

    def get(self, request_id: str) -> LoggedRequestDetail:
        """Get one of your requests.

        Returns a request of the last 30 days by the `X-Request-Id` of its response: what was sent, without secrets, why
        it was refused, and the events that it caused.

        Args:
            request_id: The `X-Request-Id` of the response.
        """
        return self._client._object(
            operations.GET_REQUEST, LoggedRequestDetail, "request", path={"request_id": request_id}
        )
