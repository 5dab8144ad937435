<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A request with everything that the request log keeps.
 *
 * @property-read string                $id            The `X-Request-Id` of the response.
 * @property-read string                $createdAt     When it arrived, ISO 8601, UTC, milliseconds.
 * @property-read string                $method
 * @property-read string                $path          As called.
 * @property-read string                $query         As called, without the question mark and without secrets.
 * @property-read string|null           $operation     The operation of the path; null where there is none.
 * @property-read int                   $status
 * @property-read float                 $durationMs    How long the response took, in milliseconds.
 * @property-read int                   $keyId         The key of the request.
 * @property-read string|null           $keyName       Null once the key is deleted.
 * @property-read string|null           $errorCode     The `code` of its error; null without one.
 * @property-read string|null           $refusedBy     The reason of the refusal, such as `limit:minute` or
 *                                                     `parameter:genre`; null without one.
 * @property-read string|null           $version       The dated version of the API that answered, such as `2026-11-20`;
 *                                                     null where none did.
 * @property-read string|null           $errorMessage  The `message` of its error.
 * @property-read string|null           $errorDetails  The `details` of its error, without secrets.
 * @property-read string|null           $reason        Why it was refused or failed, in words.
 * @property-read string|null           $advice        The remedy.
 * @property-read array<string, string> $headers       The headers of the request that are kept. Never its key, nor
 *                                                     cookies.
 * @property-read string                $userAgent     Empty without one.
 * @property-read string|null           $body          The body as sent, up to 4,000 bytes, without secrets and what may
 *                                                     be the number of a card. Null without one.
 * @property-read string                $clientAddress The IP address of the client.
 * @property-read bool                  $fromExplorer  Whether it was sent from the explorer, which has its own limits.
 * @property-read list<string>          $eventIds      The events that it caused, oldest first.
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
