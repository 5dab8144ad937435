<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A request of the account in the request log.
 *
 * @property-read string      $id         The `X-Request-Id` of the response.
 * @property-read string      $createdAt  When the request arrived: ISO 8601, UTC, milliseconds.
 * @property-read string      $method
 * @property-read string      $path       The path of the request.
 * @property-read string      $query      The query string of the request, without the question mark and without
 *                                        secrets.
 * @property-read string|null $operation  The operation of the path. Null if there is none.
 * @property-read int         $status
 * @property-read float       $durationMs The duration until the end of the response, in milliseconds.
 * @property-read int         $keyId      The key of the request.
 * @property-read string|null $keyName    The name of the key. Null once the key is deleted.
 * @property-read string|null $errorCode  The `code` of the error. Null if there is none.
 * @property-read string|null $refusedBy  The reason of the refusal, such as `limit:minute` or `parameter:genre`. Null
 *                                        if there is none.
 * @property-read string|null $version    The dated version of the API in which the response was written, such as
 *                                        `2026-11-20`. Null if it has no version.
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
