<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Exception;

/** 404: the resource does not exist, or this account may not see it. */
final class NotFoundException extends APIStatusException
{
}
