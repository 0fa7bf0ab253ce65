extension CommandTable {
  /// The commands that Router knows.
  ///
  /// A row is a read-only subcommand, with the options of its manual page that keep it read-only. The table omits:
  ///
  /// - subcommands that run programs, including programs of the project or its configuration: `git fetch`, `merge` and `commit`
  ///   (hooks, `--strategy`, `name::address`), `npm run`, `cargo`, `go` (the project chooses the toolchain), `make -n`,
  ///   `terraform`, `hg` (extensions), `docker run`; and subcommands that start services: `adb devices`, `busctl introspect`;
  ///  - subcommands that write or delete, because their arguments rarely name everything affected: `git branch NAME`, `gh pr
  ///    merge`, `cp`;
  ///  - subcommands that show secrets: `gh auth token`, `kubectl get secrets`, `docker inspect`, `systemctl show`;
  ///  - options that name a program (`--pre`), an output file (`--output`), another repository or configuration (`--repo`,
  ///    `-C`, `--git-dir`, `--kubeconfig`) or another host (`-H`, `--endpoint-url`, `--context`), and templates, some of which
  ///    run programs (tmux `-F`).
  ///
  /// If in doubt, the table omits a command, so that a person is asked.
  package static let standard = CommandTable(standardRows)

  /// Options that may precede the subcommand. Excludes options that choose a repository, host or configuration, such as `git
  /// -C`.
  static let leading: [String: Set<String>] = [
    "git": ["--no-pager", "-P", "--no-optional-locks"],
    "systemctl": ["--user", "--system", "--no-pager"],
    "busctl": ["--user", "--system", "--no-pager"],
    "ip": ["-4", "-6", "-br", "-j", "-s", "-d", "-o"],
    "aws": ["--no-cli-pager"],
  ]

  static let standardRows = git + forges + clouds + containers + system + packages + tools + readers

  private static let history = """
    --oneline --graph --all --branches --tags --remotes --decorate[=] --no-decorate --stat[=] --shortstat --numstat --summary \
    --name-only --name-status -p -u --patch --no-patch -n= --max-count= -# --skip= --since= --after= --until= --before= \
    --author= --committer= --grep= -i --merges --no-merges --first-parent --reverse --topo-order --date-order --date= --format= \
    --pretty[=] --abbrev-commit --abbrev[=] --color[=] --no-color --follow -S= -G= -L= -U= -M -w --word-diff[=] --no-ext-diff \
    --no-textconv --no-renames --
    """

  private static let git = [
    "git log ...: " + history,
    "git show ...: " + history,
    "git reflog: -# -n= --date= --all --no-color",
    "git reflog show ...: -# -n= --date= --all --no-color",
    "git stash list: --oneline --stat[=] --date= -# --no-color",
    "git stash show ...: -p -u --stat[=] --name-only --name-status --no-color",
    "git status ...: -[sbvz] --short --branch --long --porcelain[=] --untracked-files[=] -uno -unormal -uall --ignored[=] "
      + "--show-stash --ahead-behind --no-renames --column[=] --",
    "git diff ...: --cached --staged --merge-base -p -u --patch --stat[=] --shortstat --numstat --summary --name-only "
      + "--name-status --check --exit-code -w -b -R -U= --unified= --word-diff[=] --color[=] --no-color -M --find-renames[=] "
      + "--no-renames --no-ext-diff --no-textconv --diff-filter= --",
    "git diff-tree ...: -r -p --root --stat[=] --name-only --name-status --no-commit-id --",
    "git blame ...: -[wesplct] -L= -C -M --porcelain --date= --since= --",
    "git annotate ...: -[elt] -L=",
    "git grep ...: -[nilcwvoEFPhH] --line-number --count --cached --heading --break -e= -A= -B= -C= --",
    // No further words: a word would create a branch or a tag.
    "git branch: -[arvi] -vv --all --remotes --list --show-current --sort= --format= --contains= --no-contains= --merged= "
      + "--no-merged= --points-at= --column[=] --color[=] --no-color",
    "git tag: -l --list -n --sort= --format= --contains= --no-contains= --merged= --points-at= --column[=]",
    "git remote: -v --verbose",
    "git remote get-url ...: --all --push",
    "git worktree list: -v --porcelain",
    "git describe ...: --tags --always --long --all --dirty[=] --abbrev= --match= --exclude= --contains --exact-match "
      + "--first-parent",
    "git rev-parse ...: --short[=] --abbrev-ref[=] --symbolic-full-name --verify -q --quiet --show-toplevel --git-dir "
      + "--is-inside-work-tree --show-prefix --all",
    "git rev-list ...: --count --all --oneline -n= --max-count= -# --since= --until= --first-parent --no-merges --merges "
      + "--left-right --reverse --",
    "git ls-files ...: -[cdmoisutvkz] --cached --deleted --modified --others --ignored --stage --exclude-standard "
      + "--full-name --error-unmatch --",
    "git ls-tree ...: -[rdtlz] --name-only --full-tree --long",
    "git cat-file ...: -[ptse]",
    "git merge-base ...: --is-ancestor --all --octopus",
    "git shortlog ...: -[sne] --summary --numbered --email --since= --until= --no-merges --all",
    "git for-each-ref ...: --format= --sort= --count= --contains= --merged= --points-at=",
    "git show-ref ...: --heads --tags --head -d --verify -q",
    "git show-branch ...: -[ar] --all --list --sha1-name",
    "git name-rev ...: --tags --name-only --always",
    "git cherry ...: -v",
    "git check-ignore ...: -[vnq] --",
    "git count-objects: -[vH]",
    "git version",
  ]

  private static let lists = "-s= --state= -L= --limit= -l= --label= -a= --assignee= -A= --author= -S= --search= --json="

  private static let forges = [
    "gh pr view ...: -c --comments --json=",
    "gh pr list: -d --draft -B= --base= " + lists,
    "gh pr status: --json=",
    "gh pr diff ...: --name-only --patch --color=",
    "gh pr checks ...: --required --json=",
    "gh issue view ...: -c --comments --json=",
    "gh issue list: -m= --milestone= " + lists,
    "gh issue status: --json=",
    "gh run list: -L= --limit= -w= --workflow= -b= --branch= -s= --status= -u= --user= -e= --event= --json=",
    "gh run view ...: -v --verbose --log --log-failed --exit-status -j= --job= --attempt= --json=",
    "gh release list: -L= --limit= --exclude-drafts --json=",
    "gh release view ...: --json=",
    "gh workflow list: -a --all -L= --limit= --json=",
    "gh label list: -L= --limit= -S= --search= --json=",
    "gh repo view: --json=",
    "gh auth status",
    "glab mr list: -A --all -c --closed -M --merged -P= --per-page= -p= --page=",
    "glab mr view ...: -c --comments -s --system-logs",
    "glab issue list: -A --all -c --closed -P= --per-page= -p= --page=",
    "glab issue view ...: -c --comments -s --system-logs",
  ]

  private static let clouds = [
    "aws s3 ls: --recursive --human-readable --summarize",
    "aws sts get-caller-identity: --output=",
    "aws ec2 describe-instances: --output= --query= --max-items=",
    "aws ec2 describe-vpcs: --output= --query= --max-items=",
    "aws ecs list-clusters: --output= --query= --max-items=",
    "aws cloudformation list-stacks: --output= --query= --max-items=",
    "gcloud projects list: --format= --filter= --limit= --sort-by=",
    "gcloud auth list: --format= --filter=",
    "gcloud compute instances list: --format= --filter= --limit= --sort-by=",
    "gcloud container clusters list: --format= --filter= --limit= --sort-by=",
    "az account show: -o= --output= --query=",
    "az account list: -o= --output= --query= --all",
    "az group list: -o= --output= --query=",
    "az vm list: -o= --output= --query= -d --show-details",
    // Lists the kinds of resources, because secrets are a kind. The description of a pod contains its variables.
    "kubectl get pods ...: " + resources,
    "kubectl get services ...: " + resources,
    "kubectl get deployments ...: " + resources,
    "kubectl get nodes ...: " + resources,
    "kubectl get jobs ...: " + resources,
    "kubectl get namespaces ...: " + resources,
    "kubectl get events: -o= --output= --sort-by= --no-headers",
    "kubectl describe nodes ...",
    "kubectl logs ...: -f --follow --tail= --since= -c= --container= -p --previous --timestamps --all-containers",
    "kubectl top pods ...: --no-headers --sort-by=",
    "kubectl top nodes ...: --no-headers --sort-by=",
    "kubectl version: --client -o= --output=",
    "kubectl api-resources: --namespaced --verbs= --no-headers",
    "kubectl config current-context",
    "helm list: -a --all -q --short -o= --output= --deployed --failed --pending",
    "helm status ...: -o= --output= --revision=",
    "helm history ...: -o= --output= --max=",
  ]

  private static let resources = "-o= --output= --no-headers --show-labels --sort-by= -l= --selector= -w --watch"

  private static let containers =
    ["docker", "podman"].flatMap { program in
      [
        "\(program) ps: -[aqsl] --all --quiet --size --no-trunc -n= --last= -f= --filter= --format=",
        "\(program) images: -[aq] --all --quiet --digests --no-trunc -f= --filter= --format=",
        "\(program) logs ...: -[ft] --follow --timestamps -n= --tail= --since= --until= --details",
        "\(program) stats ...: -a --all --no-stream --no-trunc --format=",
        "\(program) port ...",
        "\(program) diff ...",
        "\(program) history ...: -[Hq] --no-trunc --quiet --human --format=",
        "\(program) version: -f= --format=",
        "\(program) info: -f= --format=",
        "\(program) container ls: -[aqsl] --all --quiet --no-trunc -n= -f= --filter= --format=",
        "\(program) image ls: -[aq] --all --quiet --digests --no-trunc -f= --filter= --format=",
        "\(program) volume ls: -q --quiet -f= --filter= --format=",
        "\(program) network ls: -q --quiet --no-trunc -f= --filter= --format=",
      ]
    } + [
      "docker compose ps ...: -a --all -q --quiet --services --format= --filter= --status=",
      "docker compose logs ...: -f --follow -t --timestamps -n= --tail= --since= --until= --no-color --no-log-prefix",
      "docker compose ls: -a --all -q --quiet --format= --filter=",
      "virsh list: --all --inactive --name --title --uuid",
      "virsh dominfo ...",
      // No further words: a word may name another server, as host:name.
      "incus list: -c= --columns= -f= --format=",
      "lxc list: -c= --columns= -f= --format=",
      "machinectl list: -a --all --no-pager --no-legend",
      "machinectl list-images: -a --all --no-pager --no-legend",
    ]

  private static let units = "-[al] --all --full --no-pager --no-legend --plain --type= -t= --state= --failed --user --system"

  private static let system = [
    "systemctl status ...: -n= --lines= -o= --output= " + units,
    "systemctl cat ...: --no-pager --user --system",
    "systemctl is-active ...: -q --quiet --user --system",
    "systemctl is-enabled ...: -q --quiet --user --system",
    "systemctl is-failed ...: -q --quiet --user --system",
    "systemctl list-units ...: " + units,
    "systemctl list-unit-files ...: " + units,
    "systemctl list-timers ...: " + units,
    "systemctl list-sockets ...: " + units,
    "systemctl list-dependencies ...: --reverse --before --after " + units,
    "journalctl ...: -[frxekaqb] -u= --unit= --user-unit= -n= --lines= --since= --until= -S= -U= -p= --priority= -o= --output= "
      + "-g= --grep= -t= --identifier= --follow --reverse --dmesg --catalog --no-pager --no-hostname --utc --user --system",
    "loginctl list-sessions: --no-pager --no-legend",
    "loginctl list-users: --no-pager --no-legend",
    "loginctl session-status ...: --no-pager -l --full",
    "loginctl user-status ...: --no-pager -l --full",
    "timedatectl status: --no-pager",
    "timedatectl show: --no-pager -p= --property= --value",
    "timedatectl list-timezones: --no-pager",
    "hostnamectl status",
    "networkctl list ...: -a --all --no-pager --no-legend",
    "networkctl status ...: -a --all -l --full --no-pager",
    "resolvectl status ...: --no-pager",
    "busctl list: --unique --acquired --activatable --no-pager --no-legend",
    "busctl status ...: --no-pager",
    "coredumpctl list ...: --no-pager --no-legend -r --reverse -n= --since= -S= --until= -U=",
    "coredumpctl info ...: --no-pager -r --reverse -n= --since= -S= --until= -U=",
    "systemd-analyze time: --user --system",
    "systemd-analyze blame: --user --system --no-pager",
    "systemd-analyze critical-chain ...: --user --system --no-pager",
    "udevadm info ...: -q= --query= -n= --name= -p= --path= -a --attribute-walk",
    "ip addr show ...",
    "ip address show ...",
    "ip link show ...",
    "ip route show ...",
    "ip route get ...",
    "ip neigh show ...",
    "ip rule show",
    "nmcli device status",
    "nmcli general status",
    "nmcli connection show ...",
    "zpool status ...: -[vxLP]",
    "zpool list ...: -[HvLPp] -o=",
    "zfs list ...: -[Hrp] -o= -t= -d= -s= -S=",
    "btrfs subvolume list ...: -[parutgcq]",
    "btrfs filesystem show ...: -[md]",
    "btrfs filesystem df ...: -h",
    "btrfs filesystem usage ...: -h",
    "crontab -l",
    "tmux list-sessions",
    "tmux list-windows: -a",
    "tmux list-panes: -[as]",
    "gsettings get ...",
    "gsettings list-keys ...",
  ]

  private static let packages = [
    "apt list ...: --installed --upgradable --all-versions -a",
    "apt show ...: -a --all-versions",
    "apt search ...: --names-only -n --full",
    "apt policy ...",
    "apt-cache policy ...",
    "apt-cache show ...",
    "apt-cache search ...: --names-only -n --full",
    "apt-cache depends ...: --installed --recurse",
    "apt-cache rdepends ...: --installed --recurse",
    "dpkg -l ...",
    "dpkg -L ...",
    "dpkg -s ...",
    "dpkg -S ...",
    "rpm -qa ...",
    "rpm -qi ...",
    "rpm -ql ...",
    "dnf list ...: --installed --available",
    "dnf info ...: --installed --available",
    "dnf search ...: --all",
    "dnf repolist: --all --enabled --disabled",
    "pacman -Q ...",
    "pacman -Qi ...",
    "pacman -Ql ...",
    "pacman -Ss ...",
    "pacman -Si ...",
    "brew list ...: --versions --formula --cask -1",
    "snap list ...: --all",
    "snap info ...: --verbose",
    "flatpak list: --app --runtime --user --system --columns= -d --show-details",
    "flatpak info ...: --user --system",
    "pip list: --format= --not-required",
    "pip show ...: -f --files -v --verbose",
    "pip freeze: --all",
    "pip check",
    "pip3 list: --format= --not-required",
    "pip3 show ...: -f --files -v --verbose",
    "pip3 freeze: --all",
    "pip3 check",
    "npm ls ...: --depth= --all -a --long -l --json -p --parseable --omit= --include=",
    "gem list ...: --local --versions --no-versions --details",
    "conda list ...: --json --explicit",
    "conda env list: --json",
    "rustup toolchain list: -v --verbose",
    "rustup target list: --installed",
  ]

  private static let tools = [
    "svn status ...: -[uvq] --show-updates --verbose --quiet",
    "svn info ...: --show-item=",
    "svn log: -l= --limit= -r= --revision= -v --verbose -q --quiet",
    "gpg --list-keys ...: --keyid-format= --with-colons --with-fingerprint",
    "gpg -k ...: --keyid-format= --with-colons --with-fingerprint",
    "ssh-add -l",
  ]

  /// Programs without subcommands that show names, sizes and numbers, but not the content of files.
  private static let readers = [
    "ls ...: -[alhrtSR1disAFpnGgkmqQuUvxXZBcCfHLNob] --all --almost-all --color[=] --sort= --time= --time-style= --full-time "
      + "--group-directories-first --human-readable --",
    "pwd: -[LP]",
    "stat ...: -[Lft] -c= --format= --printf= --terse",
    "df ...: -[hHaiTPlk] -t= -x= --total",
    "du ...: -[shackmbxSLl] -d= --max-depth= --apparent-size --total",
    "wc ...: -[lwcmL]",
    "which ...: -a",
    "whoami",
    "uname: -[asnrvmpio]",
    "id ...: -[ugGnrz]",
    "groups ...",
    "uptime: -[ps]",
    "free: -[bkmghtlw]",
    "nproc: --all",
    "lscpu: -e -p -J",
    "lsblk ...: -[aflmnpPSbdJrt] -o= --output=",
    "basename ...: -[az] -s=",
    "dirname ...: -z",
    "realpath ...: -[emLPqsz]",
    "readlink ...: -[femnqsvz]",
    "ps: -[efAlFHLyM] -p= -u= -o= -C= --sort= --no-headers",
    "ss ...: -[tulnpaxsiemor46]",
    "dmesg: -[TtkuHxw] -l= --level= --since= --until= --follow",
  ]
}
