<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

/**
 * A new sandbox with the only copy of its key.
 *
 * @property-read string      $apiKey        A key with all permissions. It is shown this once.
 * @property-read string|null $webhookSecret Verifies the deliveries to `webhookUrl`; null without one, and in a fork,
 *                                           whose secret stays the same.
 */
final class CreatedSandbox extends Sandbox
{
    public const FIELDS = [
        ...parent::FIELDS,
        'apiKey' => ['api_key'],
        'webhookSecret' => ['webhook_secret'],
    ];
}
