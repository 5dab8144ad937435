<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Resource;

use BeatMarket\Exception\BeatMarketException;
use BeatMarket\Generated\Operation;
use BeatMarket\Http\Call;
use BeatMarket\Http\Connection;
use BeatMarket\Model\LoggedRequestDetail;
use BeatMarket\Model\RequestPage;
use BeatMarket\Value\StatusClass;

/** The request log of the key's account. */
final class Requests
{
    /** @internal */
    public function __construct(private readonly Connection $connection)
    {
    }

    /**
     * Returns the requests of the last 30 days with keys of the account, newest first. A request is in the log a moment
     * after its response. A response searches a bounded part of the log, so it can have fewer requests than `limit` and
     * still a `next`: pass it as `after` of the next request.
     *
     * Needs the permission requests:read.
     *
     * @param \DateTimeInterface|string|null $from        Only requests from this time on, ISO 8601. A date alone is its
     *                                                    first moment in UTC.
     * @param \DateTimeInterface|string|null $to          Only requests before this time, ISO 8601. A date alone is its
     *                                                    first moment in UTC.
     * @param StatusClass|string|null        $statusClass Only requests whose status has this first digit. One of
     *                                                    Value\StatusClass.
     * @param int|null                       $status      Only requests with this status (100 to 599).
     * @param string|null                    $method      Only requests with this method, such as `GET`.
     * @param string|null                    $operationId Only requests of this operation; `none` for paths outside of
     *                                                    the API.
     * @param int|null                       $key         Only requests made with this key.
     * @param string|null                    $requestId   Only the request with this id, the `X-Request-Id` of its
     *                                                    response.
     * @param string|null                    $text        Only requests that contain this text in the path, the query,
     *                                                    the error details, the request id or the user agent.
     * @param string|null                    $after       The `next` of the previous response. Returns the requests that
     *                                                    follow it in the list, which are older.
     * @param int|null                       $limit       The maximum number of requests in a response (1 to 100;
     *                                                    default: 50).
     *
     * @throws BeatMarketException
     */
    public function list(
        \DateTimeInterface|string|null $from = null,
        \DateTimeInterface|string|null $to = null,
        StatusClass|string|null $statusClass = null,
        ?int $status = null,
        ?string $method = null,
        ?string $operationId = null,
        ?int $key = null,
        ?string $requestId = null,
        ?string $text = null,
        ?string $after = null,
        ?int $limit = null,
    ): RequestPage {
        return $this->connection->object(
            new Call(
                Operation::ListRequests,
                query: [
                    'from' => $from,
                    'to' => $to,
                    'status_class' => $statusClass,
                    'status' => $status,
                    'method' => $method,
                    'operation_id' => $operationId,
                    'key' => $key,
                    'request_id' => $requestId,
                    'text' => $text,
                    'after' => $after,
                    'limit' => $limit,
                ],
            ),
            RequestPage::class,
            null,
        );
    }

    /**
     * Returns a request of the last 30 days by the `X-Request-Id` of its response: what was sent, without secrets, why
     * it was refused, and the events that it caused.
     *
     * Needs the permission requests:read.
     *
     * @param string $requestId The `X-Request-Id` of the response.
     *
     * @throws BeatMarketException
     */
    public function get(string $requestId): LoggedRequestDetail
    {
        return $this->connection->object(
            new Call(Operation::GetRequest, ids: ['request_id' => $requestId]),
            LoggedRequestDetail::class,
            'request',
        );
    }
}
