<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A request with all that the request log stores.
 *
 * @property-read string                $id            The `X-Request-Id` of the response.
 * @property-read string                $createdAt     When the request arrived: ISO 8601, UTC, milliseconds.
 * @property-read string                $method
 * @property-read string                $path          The path of the request.
 * @property-read string                $query         The query string of the request, without the question mark and
 *                                                     without secrets.
 * @property-read string|null           $operation     The operation of the path. Null if there is none.
 * @property-read int                   $status
 * @property-read float                 $durationMs    The duration until the end of the response, in milliseconds.
 * @property-read int                   $keyId         The key of the request.
 * @property-read string|null           $keyName       The name of the key. Null once the key is deleted.
 * @property-read string|null           $errorCode     The `code` of the error. Null if there is none.
 * @property-read string|null           $refusedBy     The reason of the refusal, such as `limit:minute` or
 *                                                     `parameter:genre`. Null if there is none.
 * @property-read string|null           $version       The dated version of the API in which the response was written,
 *                                                     such as `2026-11-20`. Null if it has no version.
 * @property-read string|null           $errorMessage  The `message` of the error.
 * @property-read string|null           $errorDetails  The `details` of the error, without secrets.
 * @property-read string|null           $reason        Why the request was refused or failed, in words.
 * @property-read string|null           $advice        What to do.
 * @property-read array<string, string> $headers       The stored headers of the request. They never include the key or
 *                                                     cookies.
 * @property-read string                $userAgent     The header User-Agent. Empty if there is none.
 * @property-read string|null           $body          The body of the request: up to 4,000 bytes, without secrets and
 *                                                     without numbers that could be card numbers. Null if there is
 *                                                     none.
 * @property-read string                $clientAddress The IP address of the client.
 * @property-read bool                  $fromExplorer  Whether the request was sent from the explorer, which has its own
 *                                                     limits.
 * @property-read list<string>          $eventIds      The events that the request caused, the oldest first.
 */
final class LoggedRequestDetail extends Model
{
    public const FIELDS = [
        'id' => ['id'],
        'createdAt' => ['created_at'],
        'method' => ['method'],
        'path' => ['path'],
        'query' => ['query'],
        'operation' => ['operation'],
        'status' => ['status'],
        'durationMs' => ['duration_ms', 'float'],
        'keyId' => ['key_id'],
        'keyName' => ['key_name'],
        'errorCode' => ['error_code'],
        'refusedBy' => ['refused_by'],
        'version' => ['version'],
        'errorMessage' => ['error_message'],
        'errorDetails' => ['error_details'],
        'reason' => ['reason'],
        'advice' => ['advice'],
        'headers' => ['headers'],
        'userAgent' => ['user_agent'],
        'body' => ['body'],
        'clientAddress' => ['client_address'],
        'fromExplorer' => ['from_explorer'],
        'eventIds' => ['event_ids'],
    ];
}
