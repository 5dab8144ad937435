# frozen_string_literal: true

require_relative "resource"

module BeatMarket
  module Resources
    # +client.users+.
    class Users < Resource
      # The default of arguments whose nil has a meaning.
      UNCHANGED = Object.new.freeze
      private_constant :UNCHANGED

      # Gets a public profile. Needs the permission +users:read+.
      #
      # @param user_id [Integer, String]
      # @return [User]
      # @raise [NotFoundError] if the user does not exist
      # @raise [BeatMarketError] if the id is empty; nothing is sent
      # @raise [APIStatusError, APIConnectionError]
      def get(user_id)
        response = perform("getUser", { user_id: })
        User.new(response.record("user"), response)
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
        given = { display_name:, bio:, location:, website:, avatar_url: }.reject { |_, value| value.equal?(UNCHANGED) }
        response = perform("updateProfile", body: given)
        User.new(response.record("user"), response)
      end
    end
  end
end
