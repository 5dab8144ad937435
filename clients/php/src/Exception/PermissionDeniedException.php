<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Exception;

/** 403: the key lacks the permission that details names. */
final class PermissionDeniedException extends APIStatusException
{
}
