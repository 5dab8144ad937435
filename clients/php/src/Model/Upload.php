<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A file that was uploaded, or of which some bytes have arrived.
 *
 * @property-read string        $id
 * @property-read string        $kind      One of Value\UploadKind, or a later value.
 * @property-read string        $filename  The name of the file, as sent. It is a text, never a path.
 * @property-read int           $bytes     The size of the whole file in bytes.
 * @property-read int           $received  The number of bytes that have arrived.
 * @property-read string|null   $sha256    The SHA-256 of the sent file. Null until the file is stored.
 * @property-read string        $status    The status. `receiving` becomes `analysing` with the last byte, then `ready`
 *                                         or `rejected`. One of Value\UploadStatus, or a later value.
 * @property-read string|null   $rejection Why the upload was rejected, as a sentence. Null unless it was.
 * @property-read Analysis|null $analysis  The results of the analysis. Null unless the upload is audio and ready.
 * @property-read string        $createdAt A time in ISO 8601, UTC, whole seconds.
 * @property-read string|null   $expiresAt When the upload will be deleted, unless a beat uses it by then. Null if a
 *                                         beat uses it.
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
