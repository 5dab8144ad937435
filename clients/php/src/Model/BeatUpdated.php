<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

/**
 * A beat and what changed in it.
 *
 * @property-read list<string> $changed Names of the fields that changed.
 */
final class BeatUpdated extends Beat
{
    public const FIELDS = [
        ...parent::FIELDS,
        'changed' => ['changed'],
    ];
}
