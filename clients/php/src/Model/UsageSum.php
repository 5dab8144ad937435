<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * How much of a use is reported, and the limit.
 *
 * @property-read string   $use   What is counted: streams, copies or videos. One of Value\CountedUse, or a later value.
 * @property-read int      $used  The sum over all periods and sources, including the usage before an upgrade.
 * @property-read int|null $limit The limit in the clause. Null for any number.
 */
final class UsageSum extends Model
{
    public const FIELDS = [
        'use' => ['use'],
        'used' => ['used'],
        'limit' => ['limit'],
    ];
}
