<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A file of an order. Its `url` needs no key until it expires.
 *
 * @property-read string $kind      `mp3`: untagged, of 320 kbit/s; of a lossy recording at its own bit rate. `wav`: the
 *                                  recording, if it is lossless. `stems`: the producer's ZIP. `license`: the
 *                                  certificate, a PDF. One of Value\FileKind, or a later value.
 * @property-read string $filename  The name under which a browser saves it.
 * @property-read int    $bytes     Size of the file.
 * @property-read string $sha256    Hash of the file's bytes.
 * @property-read string $url       A signed link: any client that has it can download the file until it expires,
 *                                  without a key. It supports `Range`.
 * @property-read string $expiresAt ISO 8601, UTC, whole seconds: 15 minutes from now. A download under way is not cut
 *                                  off.
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
