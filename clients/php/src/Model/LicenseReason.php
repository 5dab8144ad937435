<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * The clause that an answer follows from.
 *
 * @property-read string   $clause The clause that decides the answer, or the clause that comes nearest. One of
 *                                 Value\LicenseClause, or a later value.
 * @property-read string   $text   The sentence of the clause, word for word as in the certificate.
 * @property-read int|null $limit  The number in the clause. Null for any number, and for clauses without one.
 * @property-read int|null $used   The usage that the holder has reported. Null without a report.
 */
final class LicenseReason extends Model
{
    public const FIELDS = [
        'clause' => ['clause'],
        'text' => ['text'],
        'limit' => ['limit'],
        'used' => ['used'],
    ];
}
