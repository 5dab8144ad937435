<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Exception;

/** 401: the key is missing, wrong, expired or revoked. */
final class AuthenticationException extends APIStatusException
{
}
