<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A file of an order.
 *
 * @property-read string $kind      The kind of the file. `mp3`: untagged, with 320 kbit/s, or with the bit rate of a
 *                                  lossy recording. `wav`: the recording, if it is lossless. `stems`: the producer's
 *                                  ZIP. `license`: the certificate, a PDF. One of Value\FileKind, or a later value.
 * @property-read string $filename  The name under which a browser saves the file.
 * @property-read int    $bytes     The size of the file in bytes.
 * @property-read string $sha256    The SHA-256 of the file, in hexadecimal.
 * @property-read string $url       A signed link. Every client that has it can download the file without a key until it
 *                                  expires. Supports `Range`.
 * @property-read string $expiresAt When the link expires: ISO 8601, UTC, whole seconds, 15 minutes from now. A download
 *                                  that has begun is not interrupted.
 */
final class OrderFile extends Model
{
    public const FIELDS = [
        'kind' => ['kind'],
        'filename' => ['filename'],
        'bytes' => ['bytes'],
        'sha256' => ['sha256'],
        'url' => ['url'],
        'expiresAt' => ['expires_at'],
    ];
}
