<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Exception;

/** 403: the key may not make this call; details has the reason, such as a missing permission. */
final class PermissionDeniedException extends APIStatusException
{
}
