<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * The files and the license of a completed order.
 *
 * @property-read list<OrderFile> $files   The files of the license, in the order mp3, wav, stems, license. Empty once
 *                                         the order is refunded in full.
 * @property-read IssuedLicense   $license
 */
final class OrderFiles extends Model
{
    public const FIELDS = [
        'files' => ['files', [OrderFile::class]],
        'license' => ['license', IssuedLicense::class],
    ];
}
