<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Exception;

/** 400, or another 4xx with the code `invalid_request`, such as 409: invalid, or a conflict. See details. */
final class InvalidRequestException extends APIStatusException
{
}
