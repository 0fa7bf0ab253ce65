/// The people with accounts on several hosts of shared surfaces. Every other account is a separate person.
package struct People: Sendable, Hashable {
  /// The accounts by the name of the person. No account is of two people.
  package private(set) var accounts: [String: Set<Owner>] = [:]
  private var names: [Owner: String] = [:]

  package init() {}

  /// Adds an account of a person. Returns false, and changes nothing, if it is another person's.
  package mutating func add(_ account: Owner, of name: String) -> Bool {
    guard names[account, default: name] == name else { return false }
    names[account] = name
    accounts[name, default: []].insert(account)
    return true
  }

  /// All accounts of the person who has this one.
  func accounts(with account: Owner) -> Set<Owner> { names[account].flatMap { accounts[$0] } ?? [account] }
}
