<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

/**
 * A public profile and what changed in it.
 *
 * @property-read list<string> $changed Names of the fields that changed.
 */
final class UserUpdated extends User
{
    public const FIELDS = [
        ...parent::FIELDS,
        'changed' => ['changed'],
    ];
}
