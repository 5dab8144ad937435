<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

use BeatMarket\Model;

/**
 * A service of your own with its own clock.
 *
 * @property-read string $id        Identifier of the sandbox: 16 letters and digits.
 * @property-read string $seed      The seed from which the sandbox was generated.
 * @property-read string $catalogue The catalogue that the sandbox began with: `demo` or `empty`.
 * @property-read string $now       The present time of the sandbox.
 * @property-read string $baseUrl   The address of the sandbox, which needs no key. The API is below `/v1`.
 * @property-read string $createdAt When the sandbox was created, in real time.
 * @property-read string $expiresAt When the sandbox will be deleted, in real time. Every request to the sandbox extends
 *                                  it.
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
