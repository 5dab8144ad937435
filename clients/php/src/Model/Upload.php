<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A file that was uploaded, or whose bytes are still arriving.
 *
 * @property-read string        $id
 * @property-read string        $kind      One of Value\UploadKind, or a later value.
 * @property-read string        $filename  As sent. A text, never a path.
 * @property-read int           $bytes     Of the whole file.
 * @property-read int           $received  The number of bytes that have arrived.
 * @property-read string|null   $sha256    Of the file as it was sent; null until it is stored.
 * @property-read string        $status    receiving becomes analysing with the last byte, then ready or rejected. One
 *                                         of Value\UploadStatus, or a later value.
 * @property-read string|null   $rejection Why it was rejected, as a sentence; null unless it was.
 * @property-read Analysis|null $analysis  Of audio that is ready; null otherwise.
 * @property-read string        $createdAt ISO 8601, UTC, whole seconds.
 * @property-read string|null   $expiresAt When it is deleted, unless a beat uses it by then; null when one does.
 */
class Upload extends Model
{
    public const FIELDS = [
        'id' => ['id'],
        'kind' => ['kind'],
        'filename' => ['filename'],
        'bytes' => ['bytes'],
        'received' => ['received'],
        'sha256' => ['sha256'],
        'status' => ['status'],
        'rejection' => ['rejection'],
        'analysis' => ['analysis', Analysis::class],
        'createdAt' => ['created_at'],
        'expiresAt' => ['expires_at'],
    ];
}
