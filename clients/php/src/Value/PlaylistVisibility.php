<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Value;

/**
 * The known values. You may pass an enum case or a string. Responses contain strings, because the API may add values
 * later: compare them with the constants (`PlaylistVisibility::PRIVATE`), or convert one with
 * `PlaylistVisibility::tryFrom($string)`.
 */
enum PlaylistVisibility: string
{
    case Private = 'private';
    case Public = 'public';

    public const PRIVATE = 'private';
    public const PUBLIC = 'public';
}
