<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

/**
 * A public profile, and the names of the changed fields.
 *
 * @property-read list<string> $changed The names of the changed fields.
 */
final class UserUpdated extends User
{
    public const FIELDS = [
        ...parent::FIELDS,
        'changed' => ['changed'],
    ];
}
