<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A service of your own, with its own time.
 *
 * @property-read string $id        16 letters and digits.
 * @property-read string $seed      What it grew from.
 * @property-read string $catalogue `demo` or `empty`.
 * @property-read string $now       The time of the sandbox.
 * @property-read string $baseUrl   Where it is reached without a key; the API is below `/v1`.
 * @property-read string $createdAt Real time.
 * @property-read string $expiresAt Real time: when it is deleted, unless a request reaches it before.
 */
class Sandbox extends Model
{
    public const FIELDS = [
        'id' => ['id'],
        'seed' => ['seed'],
        'catalogue' => ['catalogue'],
        'now' => ['now'],
        'baseUrl' => ['base_url'],
        'createdAt' => ['created_at'],
        'expiresAt' => ['expires_at'],
    ];
}
