<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A request of the account, as the request log keeps it.
 *
 * @property-read string      $id         The `X-Request-Id` of the response.
 * @property-read string      $createdAt  When it arrived, ISO 8601, UTC, milliseconds.
 * @property-read string      $method
 * @property-read string      $path       As called.
 * @property-read string      $query      As called, without the question mark and without secrets.
 * @property-read string|null $operation  The operation of the path; null where there is none.
 * @property-read int         $status
 * @property-read float       $durationMs How long the response took, in milliseconds.
 * @property-read int         $keyId      The key of the request.
 * @property-read string|null $keyName    Null once the key is deleted.
 * @property-read string|null $errorCode  The `code` of its error; null without one.
 * @property-read string|null $refusedBy  The reason of the refusal, such as `limit:minute` or `parameter:genre`; null
 *                                        without one.
 * @property-read string|null $version    The dated version of the API that answered, such as `2026-11-20`; null where
 *                                        none did.
 */
final class LoggedRequest extends Model
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
    ];
}
