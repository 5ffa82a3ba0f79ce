import fs from 'node:fs';
import os from 'node:os';

const FILE_SYSTEMS = new Map([
  [0xef53, 'ext4'],
  [0x01021994, 'tmpfs'],
  [0x58465342, 'xfs'],
  [0x9123683e, 'btrfs'],
  [0x794c7630, 'overlayfs'],
  [0x1a, 'apfs'],
]);

/** Describes the machine of the measurement, without anything that identifies its owner. */
export function describeMachine() {
  const cpus = os.cpus();
  return {
    cpu: cpus[0]?.model.trim() ?? 'unknown processor',
    cores: cpus.length,
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    kernel: `${os.type()} ${os.release()} ${os.arch()}`,
    node: process.versions.node,
    fileSystem: FILE_SYSTEMS.get(fs.statfsSync(os.tmpdir()).type) ?? 'unknown file system',
    load: os.loadavg()[0],
    date: new Date().toISOString().slice(0, 10),
  };
}

export function machineLine({ cpu, cores, memoryGb, kernel, node, fileSystem, load, date }) {
  const line = `${date}, ${cpu}, ${cores} cores, ${memoryGb} GB, ${kernel}, ${fileSystem}, Node ${node}`;
  return load > cores / 2 ? `${line}; busy with other work (load ${load.toFixed(1)})` : line;
}
