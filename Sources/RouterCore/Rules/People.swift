/// People with accounts on several hosts of shared surfaces. Every other account counts as a separate person.
package struct People: Sendable, Hashable {
  /// The accounts by the name of the person. No two people share an account.
  package private(set) var accounts: [String: Set<Owner>] = [:]
  private var names: [Owner: String] = [:]

  package init() {}

  /// Adds an account of a person. Returns false, and changes nothing, if the account belongs to another person.
  package mutating func add(_ account: Owner, of name: String) -> Bool {
    guard names[account, default: name] == name else { return false }
    names[account] = name
    accounts[name, default: []].insert(account)
    return true
  }

  /// Returns all accounts of the person with this account.
  func accounts(with account: Owner) -> Set<Owner> { names[account].flatMap { accounts[$0] } ?? [account] }
}
