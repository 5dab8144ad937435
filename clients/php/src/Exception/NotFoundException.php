<?php

declare(strict_types=1);

namespace BeatMarket\Exception;

/** 404: there is no such thing, or it is not yours to see. */
final class NotFoundException extends APIStatusException
{
}
