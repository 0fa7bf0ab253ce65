import Router
import Testing

@testable import routerd

struct AccessPolicyTests {
  private let own = ProcessIdentity.current.uid

  private func peer(_ uid: UInt32, gid: UInt32 = 60000, groups: [UInt32] = []) -> Peer {
    Peer(process: ProcessIdentity(uid: uid, gid: gid, pid: 1), supplementaryGroups: groups)
  }

  @Test func `grants all roles to the daemon's user and root by default, and none to others`() {
    let policy = AccessPolicy()
    #expect(policy.roles(of: peer(own)) == Set(Role.allCases))
    #expect(policy.roles(of: peer(0)) == Set(Role.allCases))
    #expect(policy.roles(of: peer(54321, gid: 0, groups: [0])) == [])
  }

  @Test func `grants a role to users, their primary group and their supplementary groups`() throws {
    var policy = AccessPolicy()
    policy[.request] = try AccessPolicy.Grant(["1001", "group:2001"])
    policy[.present] = try AccessPolicy.Grant(["group:2002"])
    policy[.admin] = try AccessPolicy.Grant(["1003"])
    #expect(policy.roles(of: peer(1001)) == [.request])
    #expect(policy.roles(of: peer(1002, gid: 2001)) == [.request])
    #expect(policy.roles(of: peer(1002, groups: [2001, 2002])) == [.request, .present])
    // User and group ids are distinct.
    #expect(policy.roles(of: peer(2001)) == [])
    #expect(policy.roles(of: peer(1002, gid: 1001)) == [])
    #expect(policy.roles(of: peer(1003)) == Set(Role.allCases))
    // A setting replaces the default.
    #expect(policy.roles(of: peer(0)) == [.ask, .audit, .critical, .grant])
  }

  @Test func `resolves user and group names, and "self" as the daemon's user`() throws {
    #expect(try AccessPolicy.Grant(["root", "group:root", "self"]) == AccessPolicy.Grant(users: [0, own], groups: [0]))
    let error = #expect(throws: RouterError.self) { try AccessPolicy.Grant(["no-such-user"]) }
    #expect(error?.message == "there is no user no-such-user")
    #expect(#expect(throws: RouterError.self) { try AccessPolicy.Grant(["group:7x"]) }?.message == "there is no group 7x")
  }

  @Test func `an administrator has the rights of every role`() {
    #expect(AccessRule.oneOf([.audit]).allows([.admin]))
    #expect(AccessRule.oneOf([.request, .present]).allows([.present]))
    #expect(!AccessRule.oneOf([.request, .present]).allows([.audit]))
    #expect(!AccessRule.oneOf([.admin]).allows([.request, .present, .audit]))
    #expect(AccessRule.anyone.allows([]))
  }

  @Test(arguments: [
    (SelfAnswerRule.off, false, false, false), (.process, true, false, false), (.user, true, true, false),
  ])
  func `forbids answering one's own requests according to the rule`(
    rule: SelfAnswerRule, process: Bool, user: Bool, other: Bool
  ) {
    let asker = ProcessIdentity(uid: 1000, gid: 1, pid: 42)
    #expect(rule.forbids(ProcessIdentity(uid: 1000, gid: 2, pid: 42), toAnswer: asker) == process)
    #expect(rule.forbids(ProcessIdentity(uid: 1000, gid: 1, pid: 43), toAnswer: asker) == user)
    // Another user's process id is not comparable: it may belong to another namespace.
    #expect(rule.forbids(ProcessIdentity(uid: 1001, gid: 1, pid: 42), toAnswer: asker) == other)
  }
}
