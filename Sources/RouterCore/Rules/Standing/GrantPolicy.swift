/// The settings of remembered answers.
package struct GrantPolicy: Sendable, Hashable {
  /// The longest time that an answer may be remembered for; zero if none is remembered.
  package var longest: Duration
  /// The number of grants that a user may have.
  package var perUser: Int
  /// How many requests of a user grants may settle in a minute.
  package var perMinute: Int
  /// The verbs that can be granted as a whole.
  package var verbs: Set<String>
  /// The commands of which an answer or a rule may cover more than the exact words.
  package var commands = CommandTable.standard

  package init(longest: Duration = .zero, perUser: Int = 256, perMinute: Int = 600, verbs: Set<String> = []) {
    (self.longest, self.perUser, self.perMinute, self.verbs) = (longest, perUser, perMinute, verbs)
  }
}
