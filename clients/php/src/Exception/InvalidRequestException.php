<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Exception;

/** 400, 405, 406, 409, 413 or 415: the request is invalid or conflicts with the current state. See details. */
final class InvalidRequestException extends APIStatusException
{
}
