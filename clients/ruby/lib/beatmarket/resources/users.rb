# frozen_string_literal: true

require_relative "resource"

module BeatMarket
  module Resources
    # +client.users+.
    class Users < Resource
      # Gets a public profile. Needs the permission +users:read+.
      #
      # @param user_id [Integer, String]
      # @return [User]
      # @raise [NotFoundError] if the user does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def get(user_id)
        object("getUser", User, "user", { user_id: })
      end

      # Updates the public profile of the key's account. Needs the permission +profile:write+. nil clears a field; an
      # omitted field is unchanged.
      #
      # @param display_name [String] 1 to 100 characters; cannot be cleared
      # @param bio [String, nil] 1 to 2,000 characters
      # @param location [String, nil] 1 to 100 characters
      # @param website [String, nil] a URL
      # @param avatar_url [String, nil] a URL
      # @return [User] the updated profile
      # @raise [InvalidRequestError] if a field is invalid
      # @raise [APIStatusError, APIConnectionError]
      def update_profile(
        display_name: UNCHANGED, bio: UNCHANGED, location: UNCHANGED, website: UNCHANGED, avatar_url: UNCHANGED
      )
        object("updateProfile", User, "user", body: given({ display_name:, bio:, location:, website:, avatar_url: }))
      end

      # Lists your own beats in every state, the latest made first. Needs the permission +beats:write+.
      #
      # @param page [Integer, nil] the first page, from 1
      # @param limit [Integer, nil] beats per page, 1 to 100; 20 by default
      # @param status [String, Symbol, nil] only beats with this status: draft, processing, published or withdrawn
      # @param max_items [Integer, nil] maximum number of beats in an iteration
      # @return [List<BeatDetail>]
      # @raise [APIStatusError, APIConnectionError] during the iteration
      def my_beats(page: nil, limit: nil, status: nil, max_items: nil)
        pages("listOwnBeats", { "beats" => BeatDetail }, { page:, limit:, status: }, max_items)
      end
    end
  end
end
